import { runCompleted, runStarted } from '@aos/contracts';
import {
  appEntry,
  createProductDatabase,
  eventually,
  startEventLog,
  startReceiver,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type EventLog,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
  type WebhookReceiver,
} from '@aos/testing';
import { expectCountsRight } from '../delivery-counts.js';
import { exampleOf, loopbackAllowed, webhooksClient, type WebhooksClient } from '../dispatcher-under-test.js';

describe('a dispatcher that is away for longer than its lease', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let team: WebhooksClient;
  let runs: EventLog;
  let receiver: WebhookReceiver;
  const dispatchers: ServiceProcess[] = [];

  beforeAll(async () => {
    database = await createProductDatabase();
    environment = testEnvironment({
      ...loopbackAllowed,
      DATABASE_URL: database.url,
      // One that is frozen takes requests, and does not answer.
      RPC_TIMEOUT_MS: '2000',
      // Longer than a busy machine keeps a process from its processor: whoever is not frozen keeps its queues.
      WEBHOOK_LEASE_MS: '3000',
      WEBHOOK_TIMEOUT_MS: '60000',
      WEBHOOK_RETRY_SCHEDULE_MS: '0,600000',
    });
    client = startTestClient(environment);
    team = webhooksClient(client.services);
    runs = await startEventLog('runs', environment);
    receiver = await startReceiver();
  });

  afterEach(() => expectCountsRight(database, team));

  afterAll(async () => {
    client?.close();
    await receiver?.close();
    for (const dispatcher of dispatchers) dispatcher.signal('SIGCONT');
    await Promise.all([runs?.stop(), ...dispatchers.map((dispatcher) => dispatcher.stop())]);
    await database?.drop();
  });

  const start = async () => {
    const dispatcher = await startServiceProcess(appEntry('webhook-dispatcher'), environment);
    dispatchers.push(dispatcher);
    return dispatcher;
  };

  async function forget(dispatcher: ServiceProcess): Promise<void> {
    await dispatcher.exited;
    dispatchers.splice(dispatchers.indexOf(dispatcher), 1);
  }

  const record = async (event = runCompleted) => {
    const [id] = (await runs.record([exampleOf(event, team.teamId)])) as [string];
    return id;
  };

  /** Everything that is stored of a delivery. */
  const stored = (id: string) =>
    database.query(
      `SELECT to_jsonb(d) AS delivery,
              (SELECT jsonb_agg(a ORDER BY number) FROM webhook_dispatcher.delivery_attempt AS a
                WHERE a.event_id = d.event_id) AS attempts
         FROM webhook_dispatcher.delivery AS d WHERE event_id = $1`,
      [id],
    );

  const timesSeen = (id: string) => receiver.received.filter((one) => one.id === id).length;

  it('writes nothing when it wakes', async () => {
    const frozen = await start();
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runCompleted.name);
    // The answer comes while it is frozen, and is there when it wakes.
    let isFrozen!: () => void;
    const until = new Promise<void>((resolve) => (isFrozen = resolve));
    receiver.behave(() => ({ status: 200, until }));
    const id = await record();
    await eventually(() => expect(timesSeen(id)).toBe(1));
    frozen.signal('SIGSTOP');
    isFrozen();
    // To the other the receiver says no: the delivery still waits when the first one wakes.
    receiver.behave(() => ({ status: 503 }));
    const other = await start();
    const atItsEnd = await eventually(async () => {
      const rows = await stored(id);
      expect(rows).toMatchObject([{ delivery: { status: 'pending', attempts: 1 } }]);
      return rows;
    });

    await other.stop();
    await forget(other);
    receiver.behave(() => ({ status: 200 }));
    frozen.signal('SIGCONT');
    // The one that woke is alone now: what it does proves that it has found its feet.
    await team.reach(subscriptionId, await record(), 'delivered');
    expect(await stored(id)).toEqual(atItsEnd);
    expect(timesSeen(id)).toBe(2);
  });

  it('is replaced when it dies: what was under way is sent again', async () => {
    const [first] = dispatchers as [ServiceProcess];
    const { id: subscriptionId } = await team.subscribe(receiver.url('/dies'), runStarted.name);
    receiver.behave((_delivery, times) => (times === 1 ? 'hang' : { status: 200 }));
    const id = await record(runStarted);
    await eventually(() => expect(timesSeen(id)).toBe(1));
    first.signal('SIGKILL');
    await forget(first);
    await start();
    const { attempts } = await team.reach(subscriptionId, id, 'delivered');
    // Nobody knows how the first one ended: it is not told.
    expect(attempts).toEqual([expect.objectContaining({ number: 1, status_code: 200 })]);
    expect(timesSeen(id)).toBe(2);
  });
});

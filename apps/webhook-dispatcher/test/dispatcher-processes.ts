import { runCompleted } from '@aos/contracts';
import {
  appEntry,
  createProductDatabase,
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
import { exampleOf, loopbackAllowed, webhooksClient, type WebhooksClient } from './dispatcher-under-test.js';

/** Dispatchers as processes that a test stops or kills, their database, an event log and a receiver. */
export class DispatcherProcesses {
  readonly team: WebhooksClient;
  private readonly processes = new Set<ServiceProcess>();

  private constructor(
    readonly database: TestDatabase,
    private readonly environment: Record<string, string>,
    private readonly client: TestClient,
    private readonly runs: EventLog,
    readonly receiver: WebhookReceiver,
  ) {
    this.team = webhooksClient(client.services);
  }

  static async prepare(overrides: Record<string, string>): Promise<DispatcherProcesses> {
    const database = await createProductDatabase();
    const environment = testEnvironment({
      ...loopbackAllowed,
      DATABASE_URL: database.url,
      // A process that is stopped takes requests and does not answer.
      RPC_TIMEOUT_MS: '2000',
      WEBHOOK_TIMEOUT_MS: '60000',
      WEBHOOK_RETRY_SCHEDULE_MS: '0,600000',
      ...overrides,
    });
    const client = startTestClient(environment);
    const [runs, receiver] = await Promise.all([startEventLog('runs', environment), startReceiver()]);
    return new DispatcherProcesses(database, environment, client, runs, receiver);
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.receiver.close();
    for (const dispatcher of this.processes) dispatcher.signal('SIGCONT');
    await Promise.all([this.runs.stop(), ...[...this.processes].map((dispatcher) => dispatcher.stop())]);
    await this.database.drop();
  }

  async start(own: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const environment = { ...this.environment, ...own };
    const dispatcher = await startServiceProcess(appEntry('webhook-dispatcher'), environment);
    this.processes.add(dispatcher);
    return dispatcher;
  }

  async end(dispatcher: ServiceProcess): Promise<void> {
    await dispatcher.stop();
    this.processes.delete(dispatcher);
  }

  async kill(dispatcher: ServiceProcess): Promise<void> {
    dispatcher.signal('SIGKILL');
    await dispatcher.exited;
    this.processes.delete(dispatcher);
  }

  /** Records the end of a run and returns the id of the event. */
  async record(): Promise<string> {
    const [id] = await this.runs.record([exampleOf(runCompleted, this.team.teamId)]);
    return id!;
  }

  /** Counts the requests that the receiver got for an event. */
  timesSeen(id: string): number {
    return this.receiver.received.filter((one) => one.id === id).length;
  }
}

/** Reads all that is stored of a delivery. */
export function storedDelivery(database: TestDatabase, eventId: string) {
  return database.query(
    `SELECT to_jsonb(d) AS delivery,
            (SELECT jsonb_agg(a ORDER BY number) FROM webhook_dispatcher.delivery_attempt AS a
              WHERE a.event_id = d.event_id) AS attempts
       FROM webhook_dispatcher.delivery AS d WHERE event_id = $1`,
    [eventId],
  );
}

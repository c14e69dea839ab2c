import {
  createTestDatabase,
  eventually,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { having, makeWidgets } from '../fixture-calls.js';
import { allSeenOnce, expireLease, leaseOwner, seenPositions } from '../seen-events.js';

describe('replicas of a consumer', () => {
  let database: TestDatabase;
  let client: TestClient;
  let producer: ServiceProcess;
  let consumers: ServiceProcess[];

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    const environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    [producer, ...consumers] = (await Promise.all([
      startServiceProcess(fixtureEntries.fixture, environment),
      startServiceProcess(fixtureEntries['fixture-consumer'], environment),
      startServiceProcess(fixtureEntries['fixture-consumer'], environment),
    ])) as [ServiceProcess, ServiceProcess, ServiceProcess];
  });

  afterEach(async () => {
    client.close();
    const children = [producer, ...consumers];
    for (const child of children) child.signal('SIGKILL');
    await Promise.all(children.map((child) => child.exited));
    await database.drop();
  });

  /** The one that follows the log now, and the one that waits. */
  const roles = async () => {
    const owner = await eventually(async () => {
      const name = await leaseOwner(database);
      const process = consumers.find(({ pid }) => name?.includes(`-${pid}-`));
      expect(process).toBeDefined();
      return process!;
    });
    return { owner, other: consumers.find((consumer) => consumer !== owner)! };
  };

  /** Lets something happen to the follower in the middle of its work. */
  const underLoad = async (count: number, inTheMiddle: () => Promise<void>) => {
    let happening: Promise<void> | undefined;
    const outcomes = await makeWidgets(client.services, {
      count,
      atOnce: 20,
      onDone: (done) => {
        if (done >= count / 4) happening ??= inTheMiddle();
      },
    });
    await happening;
    expect(having(outcomes, 201)).toHaveLength(count);
  };

  it('see every event once and in order when the one at work is killed', async () => {
    const { owner, other } = await roles();
    await underLoad(600, async () => {
      await eventually(async () => expect((await seenPositions(database)).length).toBeGreaterThan(0));
      owner.signal('SIGKILL');
      await owner.exited;
      expect((await seenPositions(database)).length).toBeLessThan(600);
      await expireLease(database);
    });
    await allSeenOnce(database, 600, { timeoutMs: 40_000 });
    expect(await leaseOwner(database)).toContain(`-${other.pid}-`);
  });

  it('see every event once and in order when one is thought dead and comes back', async () => {
    const { owner, other } = await roles();
    await underLoad(600, async () => {
      await eventually(async () => expect((await seenPositions(database)).length).toBeGreaterThan(0));
      owner.signal('SIGSTOP');
      await endSessionsInTransaction(database);
      await expireLease(database);
      await eventually(async () => expect(await leaseOwner(database)).toContain(`-${other.pid}-`));
      const position = (await seenPositions(database)).length;
      await eventually(async () => expect((await seenPositions(database)).length).toBeGreaterThan(position));
      owner.signal('SIGCONT');
    });
    await allSeenOnce(database, 600, { timeoutMs: 40_000 });
  });

  /** How many entries of the stream the consumers have received; events that come together share one. */
  async function entriesRead(): Promise<number> {
    const stream = client.connections.key('events', 'fixture');
    const groups = (await client.connections.shared.xinfo('GROUPS', stream)) as unknown[][];
    return groups[0]![groups[0]!.indexOf('entries-read') + 1] as number;
  }

  it('have no effect after another one has gone on, whatever they still receive', async () => {
    await makeWidgets(client.services, { count: 3, atOnce: 1 });
    await allSeenOnce(database, 3);
    const readBefore = await entriesRead();
    // As if another one had the lease and had handled two events more.
    await database.query(
      `UPDATE fixture_consumer.event_position
          SET position = 5, lease_owner = 'another', lease_until = now() + interval '1 hour'`,
    );
    await makeWidgets(client.services, { count: 4, atOnce: 1, prefix: 'more' });
    // The one that was at work has received it.
    await eventually(async () => expect(await entriesRead()).toBeGreaterThan(readBefore));
    await expireLease(database);
    await eventually(async () => expect((await seenPositions(database)).at(-1)).toBe(7));
    expect(await seenPositions(database)).toEqual([1, 2, 3, 6, 7]);
  });

  it('hand over at once when one is told to end', async () => {
    const { owner, other } = await roles();
    await underLoad(300, async () => {
      await owner.stop();
      expect(await owner.exited).toBe(0);
      expect((await leaseOwner(database)) ?? `-${other.pid}-`).toContain(`-${other.pid}-`);
    });
    await allSeenOnce(database, 300);
  });
});

/** A stopped process may hold a transaction open, as one cut off by the network would; Postgres ends it in time. */
async function endSessionsInTransaction(database: TestDatabase): Promise<void> {
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'fixture-consumer'
        AND state LIKE 'idle in transaction%'`,
  );
}

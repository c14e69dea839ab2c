import { OutboxLog } from '@aos/events';
import { startHelper, startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  recordSilently,
  type ServiceProcess,
  startServiceProcess,
  startTestClient,
  type TestClient,
  testConfig,
  type TestDatabase,
  testEnvironment,
} from '../../src/index.js';
import { backUp } from '../backups.js';
import { callOperation } from '../fixture-calls.js';
import { leaseOwner } from '../seen-events.js';

describe('events when a log was restored from a backup', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let owner: RunningService | undefined;
  let consumer: RunningService | undefined;
  let replicas: ServiceProcess[];

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    replicas = [];
  });

  afterEach(async () => {
    client.close();
    for (const replica of replicas) replica.signal('SIGKILL');
    await Promise.all(replicas.map(({ exited }) => exited));
    await consumer?.close();
    await owner?.close();
    owner = consumer = undefined;
    await database.drop();
  });

  const startOwner = async () => (owner = await startService(fixtureService, testConfig(environment)));
  const startConsumer = async () =>
    (consumer = await startService(fixtureConsumerService, testConfig(environment)));
  const stopOwner = async () => {
    await owner?.close();
    owner = undefined;
  };
  const stopConsumer = async () => {
    await consumer?.close();
    consumer = undefined;
  };

  /** Gives their ids, in the order in which they were made. */
  const make = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { body } = await callOperation(client.services, createWidget, {});
      ids.push((JSON.parse(body) as { widget_id: string }).widget_id);
    }
    return ids;
  };
  const seen = async () => {
    const rows = await database.query<{ widget_id: string }>(
      'SELECT widget_id FROM fixture_consumer.seen_widget ORDER BY seq',
    );
    return rows.map(({ widget_id: id }) => id);
  };
  const allSeen = (...ids: string[][]) =>
    eventually(async () => expect(await seen()).toEqual(ids.flat()), { timeoutMs: 20_000 });

  it('reach the consumer though their positions lie behind its own', async () => {
    await startOwner();
    await startConsumer();
    const early = await make(3);
    await allSeen(early);
    const restore = await backUp(database, 'fixture');
    const lost = await make(4);
    await allSeen(early, lost);
    await stopOwner();
    await restore();
    await startOwner();
    const late = await make(2);
    await allSeen(early, lost, late);
    await allSeen(early, lost, late, await make(8));
  });

  it('reach the consumer though it had them overtaken while it was away', async () => {
    await startOwner();
    await startConsumer();
    const early = await make(3);
    await allSeen(early);
    const restore = await backUp(database, 'fixture');
    const lost = await make(2);
    await allSeen(early, lost);
    await stopOwner();
    await stopConsumer();
    await restore();
    await startOwner();
    // More than were lost: the head has passed the consumer's position.
    const late = await make(6);
    await startConsumer();
    await allSeen(early, lost, late);
  });

  it('reach replicas though the owner went on running', async () => {
    replicas = await Promise.all([
      startServiceProcess(fixtureEntries.fixture, environment),
      startServiceProcess(fixtureEntries.fixture, environment),
      startServiceProcess(fixtureEntries['fixture-consumer'], environment),
      startServiceProcess(fixtureEntries['fixture-consumer'], environment),
    ]);
    const early = await make(3);
    await allSeen(early);
    const restore = await backUp(database, 'fixture');
    const lost = await make(5);
    await allSeen(early, lost);
    await restore();
    const late = await make(4);
    await allSeen(early, lost, late);
    // The other replica of the consumer goes on from there.
    const name = await leaseOwner(database);
    const follower = replicas.find(({ pid }) => name?.includes(`-${pid}-`))!;
    await follower.stop();
    await allSeen(early, lost, late, await make(3));
  });

  it('that were committed but not numbered in the backup have no second effect', async () => {
    await startOwner();
    await startConsumer();
    const early = await make(2);
    await allSeen(early);
    await stopOwner();
    // As a backup finds them that is made between a commit and the relay's next look.
    await recordSilently(
      database,
      'fixture',
      'SELECT event, team_id, data, meta, clock_timestamp() AS created_at FROM fixture.logged_event',
    );
    const restore = await backUp(database, 'fixture');
    await startOwner();
    await allSeen(early, early);
    const lost = await make(3);
    await allSeen(early, early, lost);
    await stopOwner();
    await restore();
    await startOwner();
    const late = await make(2);
    await allSeen(early, early, lost, late);
  });

  it('come again to a consumer that was itself restored, with its effects', async () => {
    await startOwner();
    await startConsumer();
    const early = await make(3);
    await allSeen(early);
    await stopConsumer();
    const restore = await backUp(database, 'fixture_consumer');
    await startConsumer();
    const undone = await make(4);
    await allSeen(early, undone);
    await stopConsumer();
    await stopOwner();
    await startOwner();
    await restore();
    await startConsumer();
    await allSeen(early, undone);
    await allSeen(early, undone, await make(2));
  });

  it('of a log that is new reach the consumer from the first', async () => {
    await startOwner();
    const empty = await backUp(database, 'fixture');
    await startConsumer();
    const early = await make(3);
    await allSeen(early);
    await stopOwner();
    await empty();
    await startOwner();
    await allSeen(early, await make(5));
  });

  it('stay handled though replicas of the version before have moved the position', async () => {
    await startOwner();
    await startConsumer();
    const early = await make(3);
    await allSeen(early);
    await stopConsumer();
    await stopOwner();
    await startOwner();
    const handled = await make(3);
    // As that version does it, which knows of no epochs.
    await eventually(async () => {
      const moved = await database.query(
        `UPDATE fixture_consumer.event_position SET position = 6
          WHERE 6 = (SELECT position FROM fixture.outbox_head) RETURNING 1`,
      );
      expect(moved).toHaveLength(1);
    });
    expect(handled).toHaveLength(3);
    await startConsumer();
    await allSeen(early, await make(2));
  });

  it('reach the consumer though the only replica left had numbered none of those that were lost', async () => {
    await startOwner();
    await startConsumer();
    const before = await make(2);
    await allSeen(before);
    const restore = await backUp(database, 'fixture');
    // It follows the log as a relay does, and has nothing to number.
    const idle = await startHelper(fixtureService, testConfig(environment));
    const log = idle.app.get(OutboxLog);
    await log.number(100);
    const lost = await make(3);
    await allSeen(before, lost);
    await eventually(async () => expect(await log.needsNumbering()).toBe(false));
    await stopOwner();
    await restore();
    expect(await log.needsNumbering()).toBe(true);
    await log.number(100);
    const epochs = await database.query('SELECT FROM fixture.outbox_epoch WHERE after = 2');
    expect(epochs.length).toBeGreaterThan(0);
    await idle.close();
  });
});

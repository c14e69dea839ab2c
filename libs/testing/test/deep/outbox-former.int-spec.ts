import { newId } from '@aos/persistence';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  fixtureConsumerService,
  fixtureService,
  loggedEvents,
  recordSilently,
  startTestClient,
  testConfig,
  testEnvironment,
  widgetCreated,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { makeWidgets } from '../fixture-calls.js';
import { seenPositions } from '../seen-events.js';

describe('events that a replica of the version before recorded', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let services: RunningService[];

  beforeEach(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    services = [];
  });

  afterEach(async () => {
    client.close();
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
  });

  const startOwner = async (changes: Record<string, string> = {}) => {
    services.push(await startService(fixtureService, testConfig({ ...environment, ...changes })));
  };
  const startConsumer = async () => {
    services.push(await startService(fixtureConsumerService, testConfig(environment)));
  };
  /** As that version does. */
  const recordFormer = (name: string) =>
    database.query(
      `INSERT INTO fixture.outbox_event (id, event, data, meta, created_at) VALUES ($1, $2, $3, '{}', now())`,
      [newId(), widgetCreated.name, JSON.stringify({ widget_id: newId(), name })],
    );
  const record = (...names: string[]) =>
    recordSilently(
      database,
      'fixture',
      `SELECT $1 AS event, NULL::uuid AS team_id, jsonb_build_object('widget_id', gen_random_uuid(), 'name', name) AS data,
              '{}'::jsonb AS meta, now() AS created_at FROM unnest($2::text[]) AS name`,
      [widgetCreated.name, names],
    );
  const positionsByName = async () => {
    const rows = await database.query<{ name: string; position: string }>(
      `SELECT data ->> 'name' AS name, position FROM (
         SELECT data, position FROM ${loggedEvents('fixture')} AS log
          UNION ALL SELECT data, position FROM fixture.outbox_event) AS all_events ORDER BY position`,
    );
    return rows.map(({ name, position }) => `${position} ${name}`);
  };

  it('are numbered with all others, in the order in which they were recorded', async () => {
    await record('a', 'b');
    await recordFormer('c');
    await record('d');
    await recordFormer('e');
    await recordFormer('f');
    await startOwner();
    await eventually(async () => {
      expect(await positionsByName()).toEqual(['1 a', '2 b', '3 c', '4 d', '5 e', '6 f']);
    });
    await startConsumer();
    await eventually(async () => expect(await seenPositions(database)).toEqual([1, 2, 3, 4, 5, 6]));
  });

  it('reach a consumer that starts late among more than a page of others', async () => {
    await startOwner();
    for (let round = 0; round < 5; round += 1) {
      await makeWidgets(client.services, { count: 60, atOnce: 20, prefix: `round ${round}` });
      for (let count = 0; count < 20; count += 1) await recordFormer(`${round}-${count}`);
    }
    await eventually(async () => {
      const [head] = await database.query<{ position: string }>('SELECT position FROM fixture.outbox_head');
      expect(head!.position).toBe('400');
    });
    await client.connections.shared.del(client.connections.key('events', 'fixture'));
    await startConsumer();
    const all = Array.from({ length: 400 }, (_, index) => index + 1);
    await eventually(async () => expect(await seenPositions(database)).toEqual(all));
  });

  it('leave the log when they are old, as all others do', async () => {
    await startOwner();
    await recordFormer('old');
    await record('old, too');
    await recordFormer('young');
    await record('young, too');
    await eventually(async () => expect(await positionsByName()).toHaveLength(4));
    await eventually(async () => expect((await positionsByName()).join()).not.toContain('null'));
    await services.pop()!.close();
    for (const [table, old] of [
      ['outbox_event', 'position = 1'],
      ['outbox_batch', 'after = 1'],
    ]) {
      await database.query(
        `UPDATE fixture.${table} SET created_at = now() - interval '2 hours' WHERE ${old}`,
      );
    }
    await startOwner({ OUTBOX_RETENTION_HOURS: '1' });
    await eventually(async () => expect(await positionsByName()).toEqual(['3 young', '4 young, too']));
  });
});

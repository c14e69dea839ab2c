import { PreparedStatements, Transactions } from '@aos/persistence';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureConsumerService,
  fixtureService,
  loggedEvents,
  recordSilently,
  startTestClient,
  type TestClient,
  testConfig,
  type TestDatabase,
  testEnvironment,
} from '../src/index.js';
import { callOperation } from './fixture-calls.js';

describe('the outbox of a service to which nothing comes', () => {
  let database: TestDatabase;
  let service: RunningService;
  let client: TestClient;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService, fixtureConsumerService]);
    const environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    service = await startService(fixtureService, testConfig(environment));
    await callOperation(client.services, createWidget, { name: 'first' });
    await allNumbered(1);
  });

  afterAll(async () => {
    client.close();
    await service.close();
    await database.drop();
  });

  const allNumbered = (count: number) =>
    eventually(async () => {
      const rows = await database.query<{ position: string | null }>(
        `SELECT position FROM ${loggedEvents('fixture')} AS log ORDER BY position`,
      );
      expect(rows.map(({ position }) => Number(position))).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
    });

  it('is looked into, and not written to', async () => {
    const transactions = service.app.get(Transactions);
    const { jest } = import.meta;
    const asked = jest.spyOn(transactions, 'query');
    const numbered = jest.spyOn(service.app.get(PreparedStatements), 'writeTogether');
    const lookedAgain = (times: number) =>
      eventually(() => {
        const looks = asked.mock.calls.filter(([sql]) => sql.includes('outbox_head'));
        expect(looks.length).toBeGreaterThanOrEqual(times);
      });
    // One look, and what was numbered before it is behind.
    await lookedAgain(1);
    numbered.mockClear();
    const [before] = await database.query('SELECT xmin, xmax, ctid FROM fixture.outbox_head');
    await lookedAgain(3);
    expect(numbered).not.toHaveBeenCalled();
    expect(await database.query('SELECT xmin, xmax, ctid FROM fixture.outbox_head')).toEqual([before]);
    jest.restoreAllMocks();
  });

  it('numbers what a replica committed that died before it said so', async () => {
    await recordSilently(
      database,
      'fixture',
      'SELECT event, team_id, data, meta, now() AS created_at FROM fixture.logged_event LIMIT 1',
    );
    await allNumbered(2);
  });
});

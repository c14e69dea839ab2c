import {
  createTestDatabase,
  createWidget,
  eventually,
  fixtureEntries,
  fixtureService,
  getWidget,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type TestDatabase,
} from '../../src/index.js';
import { callOperation } from '../fixture-calls.js';

describe('the connections of a process under load', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
  });

  afterAll(async () => {
    await database?.drop();
  });

  async function sessions(): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'fixture%'`,
    );
    return row!.count;
  }

  it.each([3, 10])('are as many as DATABASE_POOL_SIZE says, at most and in the end: %d', async (size) => {
    const environment = testEnvironment({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: String(size) });
    const process = await startServiceProcess(fixtureEntries.fixture, environment);
    const client = startTestClient(environment);
    const call = callOperation.bind(undefined, client.services);
    let ended = false;
    let most = 0;
    // Each of them uses every kind: a key is looked up by a read, its record is in the transaction of the effect.
    const load = Array.from({ length: 30 }, async (_, index) => {
      while (!ended) {
        const { body } = await call(
          createWidget,
          { name: `w${index}`, hold_ms: 5 },
          { key: `${index}-${most}` },
        );
        const { widget_id: widgetId } = JSON.parse(body) as { widget_id: string };
        await call(getWidget, {}, { params: { widgetId } });
      }
    });
    try {
      await eventually(
        async () => {
          most = Math.max(most, await sessions());
          expect(most).toBeGreaterThanOrEqual(size);
        },
        { everyMs: 5, timeoutMs: 20_000 },
      );
      for (let look = 0; look < 50; look += 1) most = Math.max(most, await sessions());
      expect(most).toBe(size);
    } finally {
      ended = true;
      await Promise.allSettled(load);
      client.close();
      await process.stop();
    }
  });
});

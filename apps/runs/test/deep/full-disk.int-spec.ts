import { getRun, startRun } from '@aos/contracts';
import type { RunningService } from '@aos/service';
import {
  createTestDatabase,
  describeWhere,
  eventually,
  makeSmallDisk,
  openDatabase,
  smallDisks,
  startEmbedded,
  startTestClient,
  testEnvironment,
  type EmbeddedStores,
  type ServiceProcess,
  type SmallDisk,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { runsClient, startAgentsService, startWorker, type RunsClient } from '../runs-under-test.js';

/** Fills the pages that tables have left. */
const message = 'm'.repeat(20_000);

const needed = smallDisks();

describeWhere(needed, 'runs while the disk of their tables is full', () => {
  let stores: EmbeddedStores;
  let disk: SmallDisk;
  let database: TestDatabase;
  let client: TestClient;
  let agents: RunningService;
  let worker: ServiceProcess;
  let runs: RunsClient;

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([], stores.databaseUrl);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      LOG_LEVEL: 'error',
    });
    // The write-ahead log stays elsewhere: where that has no place left Postgres ends, which is another test's.
    await moveToSmallDisk();
    agents = await startAgentsService(environment);
    worker = await startWorker(environment);
    client = startTestClient(environment);
    runs = runsClient(client.services, database);
  });

  afterAll(async () => {
    client?.close();
    await Promise.all([agents?.close(), worker?.stop()]);
    await database?.drop();
    await stores?.stop();
    await disk?.remove();
  });

  async function moveToSmallDisk(): Promise<void> {
    const operator = openDatabase(stores.databaseUrl);
    try {
      const [row] = await operator.query<{ folder: string }>(
        `SELECT current_setting('data_directory') AS folder`,
      );
      disk = await makeSmallDisk({ megabytes: 64, like: row!.folder });
      await operator.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
      const name = new URL(database.url).pathname.slice(1);
      await operator.query(`ALTER DATABASE ${name} SET TABLESPACE small`);
    } finally {
      await operator.close();
    }
  }

  it('are refused when they are new, are shown when they are there, and all end once there is place again', async () => {
    const agentId = await runs.agent(['say one', 'wait 1500', 'say two', 'finish three']);
    const accepted: string[] = [];
    const start = async () => {
      const { status, body } = await runs.call(startRun, { body: { agent_id: agentId, message } });
      if (status === 201) accepted.push((body.run as { id: string }).id);
      return status;
    };
    expect(await Promise.all(Array.from({ length: 10 }, start))).toEqual(Array(10).fill(201));
    await disk.fill();
    const statuses = new Set<number>();
    await eventually(async () => {
      statuses.add(await start());
      expect(await Promise.all([start(), start(), start()])).toEqual([503, 503, 503]);
    });
    expect([201, 503]).toEqual(expect.arrayContaining([...statuses]));
    const shown = await eventually(() => runs.call(getRun, { params: { run_id: accepted[0]! } }));
    expect(shown.status).toBe(200);

    await disk.empty();
    await eventually(async () => expect(await start()).toBe(201), { timeoutMs: 30_000 });
    await Promise.all(accepted.map((id) => runs.reach(id, 'completed')));
    const rows = await database.query<{ id: string; said: string[] }>(
      `SELECT run.id, (SELECT array_agg(text_content ORDER BY seq) FROM runs.run_message AS message
                        WHERE message.run_id = run.id AND role = 'assistant') AS said FROM runs.run`,
    );
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(accepted));
    expect(rows.filter(({ said }) => said.join() !== 'one,two,three')).toEqual([]);
    await eventually(async () => {
      const unnumbered = await database.query('SELECT 1 FROM runs.outbox_batch WHERE after IS NULL');
      expect(unnumbered).toEqual([]);
    });
  });
});

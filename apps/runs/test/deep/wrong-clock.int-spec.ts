import type { RunningService } from '@aos/service';
import {
  createProductDatabase,
  shiftedClock,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { runsClient, startAgentsService, startWorker, type RunsClient } from '../runs-under-test.js';

const hourMs = 3_600_000;

describe('workers of runs whose wall clocks differ', () => {
  let database: TestDatabase;
  let client: TestClient;
  let agents: RunningService;
  let workers: ServiceProcess[] = [];
  let runs: RunsClient;

  beforeAll(async () => {
    database = await createProductDatabase();
    const environment = testEnvironment({ DATABASE_URL: database.url, RUN_LEASE_MS: '5000' });
    agents = await startAgentsService(environment);
    workers = await Promise.all(
      [hourMs, -hourMs].map((aheadMs) => startWorker({ ...environment, ...shiftedClock(aheadMs) })),
    );
    client = startTestClient(environment);
    runs = runsClient(client.services, database);
  });

  afterAll(async () => {
    client?.close();
    await Promise.all([agents?.close(), ...workers.map((worker) => worker.stop())]);
    await database?.drop();
  });

  it('take no run from each other, and wake those that wait when they should', async () => {
    const agentId = await runs.agent(['say one', 'wait 700', 'say two', 'wait 700', 'finish three']);
    const started = performance.now();
    const made = await Promise.all(Array.from({ length: 20 }, () => runs.start(agentId, { message: 'go' })));
    await Promise.all(made.map(({ id }) => runs.reach(id, 'completed')));
    expect(performance.now() - started).toBeGreaterThan(1_300);
    const rows = await database.query<{ takeovers: number; names: string[] }>(
      `SELECT takeovers, (SELECT array_agg(text_content ORDER BY seq) FROM runs.run_message AS message
                           WHERE message.run_id = run.id AND role = 'assistant') AS names FROM runs.run`,
    );
    expect(rows).toEqual(made.map(() => ({ takeovers: 0, names: ['one', 'two', 'three'] })));
  });
});

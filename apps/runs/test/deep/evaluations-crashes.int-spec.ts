import type { RunningService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  startEmbedded,
  startModelServer,
  startTestClient,
  testEnvironment,
  type EmbeddedStores,
  type ModelReply,
  type ModelServer,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { Redis } from 'ioredis';
import { EvaluationsClient, verdictsOf } from '../evaluations-under-test.js';
import { runsClient, startAgentsService, startWorker, type RunsClient } from '../runs-under-test.js';

const model = 'compatible/stand-in';
const passed: ModelReply = {
  kind: 'turn',
  toolCalls: [
    { name: 'give_verdicts', arguments: { verdicts: [{ rubric: 1, passed: true, comment: 'Yes.' }] } },
  ],
};
/** More than are judged at a time, so that some wait in the queue. */
const runCount = 12;

describe('the evaluation of runs when something dies', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let agents: RunningService;
  let worker: ServiceProcess;
  let models: ModelServer;
  let runs: RunsClient;
  let evaluations: EvaluationsClient;

  beforeAll(async () => {
    stores = await startEmbedded();
    models = await startModelServer();
    database = await createTestDatabase([], stores.databaseUrl);
    environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RUN_LEASE_MS: '2000',
      // A job that the worker had fetched, but not yet claimed its run for, comes again when its lock has run out.
      JOB_LOCK_MS: '3000',
      COMPATIBLE_BASE_URL: models.openAiUrl,
    });
    agents = await startAgentsService(environment);
    worker = await startWorker(environment);
    client = startTestClient(environment);
    runs = runsClient(client.services, database);
    evaluations = new EvaluationsClient(runs, database);
  });

  afterAll(async () => {
    client?.close();
    await Promise.all([agents?.close(), worker?.stop()]);
    await models?.close();
    await database?.drop();
    await stores?.stop();
  });

  /** Runs that have ended, and are judged again by a judge that hangs. */
  async function underJudgement() {
    models.script({ kind: 'turn', text: 'Done.' });
    const agentId = await runs.agent('Answer.', { model });
    const ids: string[] = [];
    for (let n = 0; n < runCount; n += 1) ids.push((await runs.start(agentId, { message: 'x' })).id);
    const before = await Promise.all(ids.map((id) => evaluations.judged(agentId, id)));
    await evaluations.rubric(agentId, { title: 'First' });
    models.script({ kind: 'hang' });
    const asked = models.requests.length;
    await evaluations.judgeAnew(ids);
    await eventually(() => expect(models.requests.length).toBeGreaterThan(asked));
    return { agentId, ids, before };
  }

  type UnderJudgement = Awaited<ReturnType<typeof underJudgement>>;

  async function everyOneIsJudgedOnce({ agentId, ids, before }: UnderJudgement): Promise<void> {
    const after = await Promise.all(ids.map((id) => evaluations.judged(agentId, id)));
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (const evaluation of after) {
      expect(evaluation).toMatchObject({ passed: 5, total: 5 });
      expect(verdictsOf(evaluation)).toMatchObject({ First: true });
    }
    const [row] = await database.query(
      'SELECT count(*)::int AS rows FROM runs.run_evaluation WHERE run_id = ANY ($1)',
      [ids],
    );
    expect(row).toEqual({ rows: runCount });
  }

  it('is done once although the worker was killed in the middle', async () => {
    const judged = await underJudgement();
    worker.signal('SIGKILL');
    await worker.exited;
    models.script(passed);
    worker = await startWorker(environment);
    await everyOneIsJudgedOnce(judged);
  }, 120_000);

  it('is done once although Redis has forgotten all jobs, and the worker was killed', async () => {
    const judged = await underJudgement();
    worker.signal('SIGKILL');
    await worker.exited;
    const redis = new Redis(stores.redisUrl);
    await redis.flushall();
    redis.disconnect();
    models.script(passed);
    worker = await startWorker(environment);
    await everyOneIsJudgedOnce(judged);
  }, 120_000);

  it('is given back by a worker that ends, without losing an attempt', async () => {
    const judged = await underJudgement();
    await worker.stop();
    const rows = await database.query(
      `SELECT DISTINCT attempts FROM runs.run_evaluation WHERE run_id = ANY ($1)`,
      [judged.ids],
    );
    expect(rows).toEqual([{ attempts: 0 }]);
    models.script(passed);
    worker = await startWorker(environment);
    await everyOneIsJudgedOnce(judged);
  }, 120_000);
});

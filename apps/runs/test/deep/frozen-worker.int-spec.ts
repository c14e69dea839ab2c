import { getRun } from '@aos/contracts';
import type { RunningService } from '@aos/service';
import {
  createProductDatabase,
  eventually,
  startModelServer,
  startTestClient,
  testEnvironment,
  type ModelServer,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { runsClient, startAgentsService, startWorker, type RunsClient } from '../runs-under-test.js';

const model = 'compatible/stand-in';

describe('a worker that is away for longer than its lease', () => {
  let models: ModelServer;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let agents: RunningService;
  let runs: RunsClient;
  const workers: ServiceProcess[] = [];

  beforeAll(async () => {
    models = await startModelServer();
    database = await createProductDatabase();
    environment = testEnvironment({
      DATABASE_URL: database.url,
      RUN_LEASE_MS: '1500',
      MODEL_TIMEOUT_MS: '60000',
      COMPATIBLE_BASE_URL: models.openAiUrl,
    });
    agents = await startAgentsService(environment);
    client = startTestClient(environment);
    runs = runsClient(client.services, database);
  });

  afterAll(async () => {
    client?.close();
    await Promise.all([agents?.close(), ...workers.map((worker) => worker.stop())]);
    await database?.drop();
    await models?.close();
  });

  const start = async () => {
    const worker = await startWorker(environment);
    workers.push(worker);
    return worker;
  };

  /** Everything that is stored of a run. */
  const stored = (runId: string) =>
    database.query(
      `SELECT to_jsonb(run) AS run,
              (SELECT jsonb_agg(m ORDER BY seq) FROM runs.run_message AS m WHERE run_id = run.id) AS messages,
              (SELECT jsonb_agg(s ORDER BY step_index) FROM runs.run_step AS s WHERE run_id = run.id) AS steps,
              (SELECT jsonb_agg(e ORDER BY run_seq) FROM runs.logged_event AS e WHERE run_id = run.id) AS events
         FROM runs.run WHERE id = $1`,
      [runId],
    );

  it('is replaced when it dies, from the last stored step', async () => {
    models.script({ kind: 'hang' });
    const first = await start();
    const { id } = await runs.start(await runs.agent('Think.', { model }), { message: 'hi' });
    await eventually(() => expect(models.requests.length).toBe(1));
    first.signal('SIGKILL');
    await first.exited;
    workers.length = 0;
    models.script({ kind: 'turn', text: 'Saved.' });
    await start();
    expect((await runs.reach(id, 'completed')).run.result).toBe('Saved.');
    expect((await runs.events(id)).filter((event) => event === 'run.started')).toHaveLength(1);
  });

  it('writes nothing when it wakes', async () => {
    const [frozen] = workers as [ServiceProcess];
    models.script({ kind: 'hang' });
    const before = models.requests.length;
    const agentId = await runs.agent('Think.', { model });
    const { id } = await runs.start(agentId, { message: 'hi' });
    await eventually(() => expect(models.requests.length).toBe(before + 1));
    frozen.signal('SIGSTOP');
    models.script({ kind: 'turn', text: 'Mine now.' });
    const other = await start();
    expect((await runs.reach(id, 'completed')).run.result).toBe('Mine now.');
    const atItsEnd = await stored(id);

    frozen.signal('SIGCONT');
    await other.stop();
    workers.splice(workers.indexOf(other), 1);
    // The one that woke is alone now: what it does proves that it has found its feet.
    const { id: next } = await runs.start(agentId, { message: 'next' });
    await runs.reach(next, 'completed');
    expect(await stored(id)).toEqual(atItsEnd);
    expect((await runs.call(getRun, { params: { run_id: id } })).body.status).toBe('completed');
  });
});

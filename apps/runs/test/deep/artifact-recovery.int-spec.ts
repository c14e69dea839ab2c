import {
  artifactUsed,
  makeArtifact,
  postArtifactMessage,
  refreshArtifact,
  updateArtifact,
} from '@aos/contracts';
import { JobQueues, ServiceClient } from '@aos/messaging';
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
import { artifactsClient, script, type ArtifactsClient } from '../artifacts-under-test.js';
import { runsClient, startReplica, startWorker, type RunsClient } from '../runs-under-test.js';

const handsIn = {
  kind: 'turn',
  toolCalls: [{ name: 'write_page', arguments: { title: 'Runs', html: '<h1>Runs</h1>' } }],
} as const;

describe('artifacts while workers die, jobs are lost and jobs come twice', () => {
  let database: TestDatabase;
  let server: ModelServer;
  let environment: Record<string, string>;
  let here: RunningService;
  let runs: RunsClient;
  let artifacts: ArtifactsClient;
  let outside: TestClient;
  let queues: JobQueues;

  beforeAll(async () => {
    [database, server] = await Promise.all([createProductDatabase(), startModelServer()]);
    environment = testEnvironment({
      DATABASE_URL: database.url,
      COMPATIBLE_BASE_URL: server.openAiUrl,
      RUN_LEASE_MS: '1000',
      JOB_LOCK_MS: '1000',
      ARTIFACT_REFRESH_SWEEP_MS: '100',
    });
    here = await startReplica(environment);
    runs = runsClient(here.app.get(ServiceClient), database);
    artifacts = artifactsClient(runs);
    outside = startTestClient(environment);
    queues = new JobQueues(outside.connections);
  });

  afterAll(async () => {
    await queues?.close();
    outside?.close();
    await here?.close();
    await server?.close();
    await database?.drop();
  });

  const spent = async (artifactId: string, at = database) => {
    const rows = await at.query(
      `SELECT FROM runs.logged_event WHERE event = $1 AND data ->> 'artifact_id' = $2`,
      [artifactUsed.name, artifactId],
    );
    return rows.length;
  };
  const jobs = () => queues.queue(makeArtifact);
  const withoutJobs = async (work: () => Promise<void>) => {
    await jobs().pause();
    try {
      await work();
    } finally {
      await jobs().resume();
    }
  };

  it('a job that comes many times makes one revision', async () => {
    let id = '';
    await withoutJobs(async () => {
      id = await artifacts.create('Once');
      const again = Array.from({ length: 5 }, () => ({ payload: { artifact_id: id } }));
      await queues.add(makeArtifact, ...again);
    });
    await artifacts.reach(id, 'completed');
    await eventually(async () => expect(await jobs().getJobCountByTypes('waiting', 'active')).toBe(0));
    expect(await artifacts.versions(id)).toEqual([1]);
    expect(await spent(id)).toBe(1);
  });

  it('a job that Redis has lost is made anew, also after an answer', async () => {
    let id = '';
    await withoutJobs(async () => {
      id = await artifacts.create('Lost');
      await eventually(async () => expect(await jobs().getWaitingCount()).toBe(1));
      await jobs().obliterate({ force: true });
    });
    await artifacts.reach(id, 'completed');
    expect(await artifacts.versions(id)).toEqual([1]);
  });

  it('what was refused for a moment is tried again', async () => {
    server.script({ kind: 'status', status: 400 });
    const id = await artifacts.create('x', { model: 'compatible/x' });
    const { error } = await artifacts.reach(id, 'failed');
    expect(error).toMatchObject({ code: 'model_error' });
    server.script(handsIn);
    await runs.call(postArtifactMessage, { params: { artifactId: id }, body: { message: 'Again' } });
    await artifacts.reach(id, 'completed');
  });

  it('a worker that is killed in the middle is followed by another, and one revision is made', async () => {
    // On stores of its own, so that nobody else takes it.
    const apart = await createProductDatabase();
    const settings = testEnvironment({
      DATABASE_URL: apart.url,
      COMPATIBLE_BASE_URL: server.openAiUrl,
      RUN_LEASE_MS: '1000',
      JOB_LOCK_MS: '1000',
    });
    const serving = await startReplica({ ...settings, RUN_WORKERS: 'serve' });
    const others = artifactsClient(runsClient(serving.app.get(ServiceClient), apart));
    const workers: ServiceProcess[] = [];
    const worker = { ...settings, RUN_WORKERS: 'work' };
    try {
      server.script({ kind: 'hang' });
      const victim = await startWorker(worker);
      workers.push(victim);
      const calls = server.requests.length;
      const id = await others.create('x', { model: 'compatible/x' });
      await eventually(() => expect(server.requests).toHaveLength(calls + 1));
      server.script(handsIn);
      workers.push(await startWorker(worker));
      victim.signal('SIGKILL');
      await victim.exited;
      await others.reach(id, 'completed');
      expect(await others.versions(id)).toEqual([1]);
      expect(server.requests).toHaveLength(calls + 2);
      expect(await spent(id, apart)).toBe(1);
    } finally {
      for (const one of workers) one.signal('SIGKILL');
      await Promise.all(workers.map(({ exited }) => exited));
      await serving.close();
      await apart.drop();
    }
  });

  describe('refreshed by themselves', () => {
    let other: RunningService;

    beforeAll(async () => {
      other = await startReplica(environment);
    });

    afterAll(() => other?.close());

    const due = (ids: readonly string[], hoursAgo = 0) =>
      database.query(
        `UPDATE runs.artifact SET next_refresh_at = now() - $2 * interval '1 hour' WHERE id = ANY($1)`,
        [ids, hoursAgo],
      );

    it('each once by two replicas, what was missed once, and the next in its time', async () => {
      const ids: string[] = [];
      for (let made = 0; made < 10; made += 1) {
        ids.push(await artifacts.create('x', { refresh_frequency: made % 2 ? 'hourly' : 'daily' }));
      }
      for (const id of ids) await artifacts.reach(id, 'completed');
      const before = Date.now();
      await due(ids, 100);
      for (const id of ids) {
        await eventually(async () => expect((await artifacts.show(id)).current_version).toBe(2));
        const shown = await artifacts.reach(id, 'completed');
        expect(Date.parse(shown.next_refresh_at!)).toBeGreaterThan(before);
        expect(Date.parse(shown.next_refresh_at!)).toBeLessThan(before + 25 * 3_600_000);
        expect(Date.parse(shown.last_refresh_at!)).toBeGreaterThanOrEqual(before - 1_000);
        expect(await artifacts.versions(id)).toEqual([2, 1]);
        expect(await artifacts.said(id)).toHaveLength(2);
      }
    });

    it('one that is busy is left, one that would ask does without, and ten failures end it', async () => {
      const busy = await artifacts.create(script('wait 600000'), { refresh_frequency: 'hourly' });
      const asking = await artifacts.create('x', { refresh_frequency: 'hourly' });
      await artifacts.reach(busy, 'running');
      await artifacts.reach(asking, 'completed');
      await database.query(
        `UPDATE runs.artifact_message SET content = $2 WHERE artifact_id = $1 AND role = 'user'`,
        [asking, script('ask What?', 'finish Without')],
      );
      await due([busy, asking]);
      await eventually(async () => expect((await artifacts.show(asking)).current_version).toBe(2));
      expect(await artifacts.show(busy)).toMatchObject({ status: 'running', current_version: null });
      await database.query('UPDATE runs.artifact SET failed_refreshes = 9 WHERE id = $1', [asking]);
      await database.query(
        `UPDATE runs.artifact_message SET content = $2 WHERE artifact_id = $1 AND role = 'user'`,
        [asking, script('fail Again')],
      );
      await due([asking]);
      await artifacts.reach(asking, 'failed');
      await due([asking]);
      await eventually(async () => expect((await artifacts.show(asking)).refresh_frequency).toBeNull());
      expect((await artifacts.show(asking)).error).toEqual({ code: 'failed_by_agent', message: 'Again' });
      // Refreshed by hand it is told all the same.
      await runs.call(refreshArtifact, { params: { artifactId: asking } });
      await artifacts.reach(asking, 'failed');
      const params = { artifactId: asking };
      const { body } = await runs.call(updateArtifact, { params, body: { refresh_frequency: 'weekly' } });
      expect(body.next_refresh_at).not.toBeNull();
    });
  });
});

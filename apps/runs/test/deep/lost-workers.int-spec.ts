import { readdir, readFile } from 'node:fs/promises';
import { eventually, startModelServer, type ModelServer, type ServiceProcess } from '@aos/testing';
import pg from 'pg';
import { startKillableRuns, type KillableRuns } from '../tools-under-test.js';

const apart = 'in an isolated process';

describe('a run that loses its workers', () => {
  let models: ModelServer;
  let runs: KillableRuns;
  let worker: ServiceProcess;
  let thinker: string;

  beforeAll(async () => {
    models = await startModelServer();
    runs = await startKillableRuns({
      RUN_LEASE_MS: '3000',
      LOG_LEVEL: 'warn',
      COMPATIBLE_BASE_URL: models.openAiUrl,
    });
    worker = await runs.startWorker();
    thinker = await runs.agent('Think.', { model: 'compatible/stand-in' });
  });

  afterAll(async () => {
    await runs?.stop();
    await models?.close();
  });

  const killWorker = async () => {
    await runs.kill(worker);
    worker = await runs.startWorker();
  };

  const row = async (runId: string) => {
    const [found] = await runs.database.query<{
      takeovers: number;
      status: string;
      waits: boolean;
      leased: boolean;
    }>(
      `SELECT takeovers, status, queued_at > now() AS waits, lease_token IS NOT NULL AS leased
         FROM runs.run WHERE id = $1`,
      [runId],
    );
    return found!;
  };

  /** A run that hangs at its model, in the hands of the worker. */
  const hangingRun = async () => {
    models.script({ kind: 'hang' });
    const before = models.requests.length;
    const { id } = await runs.start(thinker);
    await eventually(() => expect(models.requests.length).toBeGreaterThan(before));
    return id;
  };

  const set = (runId: string, columns: string) =>
    runs.database.query(`UPDATE runs.run SET ${columns} WHERE id = $1`, [runId]);

  it('is taken over at once, and each lost worker counts until a step is stored', async () => {
    const id = await hangingRun();
    const before = models.requests.length;
    await killWorker();
    await eventually(() => expect(models.requests.length).toBeGreaterThan(before), { timeoutMs: 40_000 });
    expect(await row(id)).toEqual({ takeovers: 1, status: 'running', waits: false, leased: true });
    models.script({ kind: 'turn', text: 'Done' });
    await killWorker();
    await runs.reach(id, 'completed');
    expect(await row(id)).toMatchObject({ takeovers: 0 });
  });

  it('goes on after Postgres kept a worker waiting for too long', async () => {
    const { id } = await runs.start(await runs.agent(['wait 4000', 'finish Done']));
    await eventually(async () => expect(await row(id)).toMatchObject({ leased: false, waits: true }));
    const other = new pg.Client({ connectionString: runs.database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('LOCK TABLE runs.build_copy IN ACCESS EXCLUSIVE MODE');
      await runs.kill(worker);
      expect(await row(id)).toMatchObject({ takeovers: 0, leased: false });
      // This one has read no build yet.
      worker = await runs.startWorker();
      await eventually(() => expect(worker.output()).toContain('run handed back for a later attempt'), {
        timeoutMs: 40_000,
      });
      expect(await row(id)).toMatchObject({ takeovers: 0, status: 'running' });
    } finally {
      await other.end();
    }
    await runs.reach(id, 'completed');
  });

  it('does not count a worker that was shut down in order', async () => {
    const id = await hangingRun();
    await worker.stop();
    expect(await row(id)).toEqual({ takeovers: 0, status: 'running', waits: false, leased: false });
    models.script({ kind: 'turn', text: 'Done' });
    worker = await runs.startWorker();
    await runs.reach(id, 'completed');
  });

  it('does not count what Postgres lost while it was away', async () => {
    const id = await hangingRun();
    models.script({ kind: 'turn', text: 'Done' });
    await set(
      id,
      `lease_token = gen_random_uuid(), lease_until = pg_postmaster_start_time() + interval '500 ms'`,
    );
    await runs.reach(id, 'completed');
    expect(worker.output()).not.toContain(apart);
  });

  it('waits from the third time on', async () => {
    const id = await hangingRun();
    await set(id, `takeovers = 2, lease_token = gen_random_uuid(), lease_until = now() - interval '1 s'`);
    await eventually(async () => {
      expect(await row(id)).toEqual({ takeovers: 3, status: 'running', waits: true, leased: false });
    });
    models.script({ kind: 'turn', text: 'Done apart' });
    await set(id, 'queued_at = now()');
    expect((await runs.reach(id, 'completed')).run.result).toBe('Done apart');
    await eventually(() => expect(worker.output()).toContain(apart));
    expect(await row(id)).toMatchObject({ takeovers: 0 });
  });

  it('costs nobody else anything when it kills the process that tries it', async () => {
    const id = await hangingRun();
    const { id: other } = await runs.start(await runs.agent(['wait 4000', 'finish Undisturbed']));
    const before = models.requests.length;
    await set(id, `takeovers = 5, lease_token = NULL, lease_until = NULL, queued_at = now()`);
    await eventually(() => expect(models.requests.length).toBeGreaterThan(before), { timeoutMs: 40_000 });
    process.kill(await childOf(worker.pid), 'SIGKILL');
    await eventually(async () => expect(await row(id)).toMatchObject({ takeovers: 6, waits: true }), {
      timeoutMs: 40_000,
    });
    expect((await runs.reach(other, 'completed')).run.result).toBe('Undisturbed');
  });

  it('is given up after the tenth', async () => {
    const id = await hangingRun();
    await set(id, `takeovers = 9, lease_token = gen_random_uuid(), lease_until = now() - interval '1 s'`);
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'worker_lost' });
    expect((await runs.events(id)).at(-1)).toBe('run.failed');
  });
});

/** The process that a process has started. */
async function childOf(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const one of pids) {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${one}/cmdline`, 'utf8').catch(() => '');
    if (stat.split(') ')[1]?.split(' ')[1] === String(pid) && command.includes('isolated-run'))
      return Number(one);
  }
  throw new Error('There is no such process');
}

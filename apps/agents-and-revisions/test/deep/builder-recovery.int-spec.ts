import { executeBuilderRun, resumeBuilderRun } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import {
  eventually,
  startEmbedded,
  startModelServer,
  type EmbeddedStores,
  type ModelServer,
} from '@aos/testing';
import { startGate, type Gate } from '../builder-gate.js';
import { keepJournal, refusedWrites, statesOf } from '../builder-journal.js';
import { BuilderUnderTest, clearPrompt } from '../builder-under-test.js';

const path = ['running reading', 'running drafting', 'running checking', 'awaiting_review done'];

function proposes(procedure: string) {
  return {
    kind: 'turn' as const,
    toolCalls: [{ name: 'propose_procedure', arguments: { procedure } }],
  };
}

describe('builder runs while Redis fails', () => {
  let stores: EmbeddedStores;
  let builders: BuilderUnderTest;
  let queues: JobQueues;

  beforeAll(async () => {
    stores = await startEmbedded();
  });

  afterAll(() => stores?.stop());

  beforeEach(async () => {
    builders = await BuilderUnderTest.prepare({ BUILDER_LEASE_MS: '2000' }, stores);
    await keepJournal(builders.database);
    queues = new JobQueues(builders.client.connections);
  });

  afterEach(async () => {
    await queues?.close();
    await builders?.stop();
  });

  /** Takes all jobs away, and the mark that nobody may take any. */
  const emptyRedis = async () => {
    await builders.client.connections.shared.flushall();
  };

  it('are executed when Redis was emptied before a worker took them', async () => {
    await builders.startHere();
    await queues.queue(executeBuilderRun).pause();
    const runs: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      runs.push(await builders.generate((await builders.makeAgent()).buildId));
    }
    expect(await queues.queue(executeBuilderRun).getWaitingCount()).toBe(5);
    await emptyRedis();
    for (const id of runs) {
      await builders.untilRow(id, { status: 'awaiting_review' });
      expect(await statesOf(builders.database, id)).toEqual(path);
    }
  });

  it('are executed when Redis was emptied after they were answered', async () => {
    await builders.startHere();
    const id = await builders.generate((await builders.makeAgent()).buildId, 'Answer the mails daily');
    const { pending_user_questions: pending } = await builders.until(id, 'waiting');
    await queues.queue(executeBuilderRun).pause();
    const answers = Object.fromEntries(pending!.questions.map(({ question }) => [question, 'done']));
    await builders.call(resumeBuilderRun, { params: { builder_run_id: id }, body: { answers } });
    await emptyRedis();
    await builders.untilRow(id, { status: 'awaiting_review' });
  });

  it('are not given a second job while the first one waits its turn', async () => {
    await builders.startHere();
    await queues.queue(executeBuilderRun).pause();
    const id = await builders.generate((await builders.makeAgent()).buildId);
    const { job_id: jobId } = await builders.row(id);
    const other = await builders.generate((await builders.makeAgent()).buildId);
    // The loop has looked at all of them again when it has replaced a job that is gone.
    await (await queues.queue(executeBuilderRun).getJob((await builders.row(other)).job_id))!.remove();
    const replaced = await builders.row(other);
    await eventually(async () => expect((await builders.row(other)).job_id).not.toBe(replaced.job_id));
    expect((await builders.row(id)).job_id).toBe(jobId);
    await eventually(async () => expect(await queues.queue(executeBuilderRun).getWaitingCount()).toBe(2));
    await queues.queue(executeBuilderRun).resume();
    await builders.until(id, 'awaiting_review');
    await builders.until(other, 'awaiting_review');
  });

  it('go on while Redis is away, and are told of when it is back', async () => {
    const server = await startModelServer();
    const gate = await startGate(server.openAiUrl);
    const others = await BuilderUnderTest.prepare({ COMPATIBLE_BASE_URL: gate.url }, stores);
    try {
      server.script(proposes('# Mails'));
      await others.startHere();
      const { buildId } = await others.makeAgent({ models: { agent: { model: 'compatible/x' } } });
      const id = await others.generate(buildId);
      await eventually(() => expect(gate.waiting).toBe(1));
      await stores.redis.kill();
      gate.letOneThrough();
      await others.untilRow(id, { status: 'awaiting_review' });
      await stores.redis.start();
      await others.until(id, 'awaiting_review', 30_000);
    } finally {
      await others.stop();
      await gate.close();
      await server.close();
    }
  });

  it('are executed when the process died between the commit and the job', async () => {
    await builders.startHere();
    const { buildId } = await builders.makeAgent();
    const [row] = await builders.database.query<{ id: string }>(
      `INSERT INTO agents_and_revisions.builder_run (id, team_id, agent_id, build_id, status, phase, prompt,
         checkpoint_config, answers, job_id, created_at)
       SELECT gen_random_uuid(), team_id, agent_id, id, 'pending', 'queued', $2, config, '[]',
              gen_random_uuid(), now()
         FROM agents_and_revisions.build WHERE id = $1 RETURNING id`,
      [buildId, clearPrompt],
    );
    await builders.until(row!.id, 'awaiting_review');
  });

  it('do not keep a process from ending while Redis is away', async () => {
    const worker = await builders.startProcess();
    await queues.queue(executeBuilderRun).pause();
    await builders.generate((await builders.makeAgent()).buildId);
    const [away] = await builders.database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    await stores.redis.kill();
    const hasSearched = async () => {
      const searches = await builders.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND ltrim(query, E' \\n') LIKE 'SELECT id, job_id FROM builder_run%' AND query_start > $1`,
        [away!.now],
      );
      expect(searches).not.toEqual([]);
    };
    // A search begins every few seconds. If none does, the one that was under way before waits for Redis.
    await eventually(hasSearched).catch(() => undefined);
    const startedAt = performance.now();
    await worker.stop();
    expect(await worker.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    await stores.redis.start();
  });
});

describe('a worker of builder runs', () => {
  let server: ModelServer;
  let gate: Gate;
  let builders: BuilderUnderTest;

  beforeEach(async () => {
    server = await startModelServer();
    gate = await startGate(server.openAiUrl);
  });

  afterEach(async () => {
    await builders?.stop();
    await gate.close();
    await server.close();
  });

  const prepare = async (settings: Record<string, string>) => {
    builders = await BuilderUnderTest.prepare({ COMPATIBLE_BASE_URL: gate.url, ...settings });
    await keepJournal(builders.database);
  };
  const start = async () => {
    const { buildId } = await builders.makeAgent({ models: { agent: { model: 'compatible/x' } } });
    return builders.generate(buildId);
  };

  it('that was frozen for longer than its lease writes nothing when it wakes up', async () => {
    await prepare({ BUILDER_LEASE_MS: '1000', JOB_LOCK_MS: '1000' });
    const frozen = await builders.startProcess();
    const id = await start();
    await eventually(() => expect(gate.waiting).toBe(1));
    const { lease_token: itsLease } = await builders.row(id);
    await builders.startProcess();
    frozen.signal('SIGSTOP');
    await eventually(async () => {
      const { lease_token: lease } = await builders.row(id);
      expect(lease).not.toBe(itsLease);
      expect(gate.waiting).toBe(2);
    });
    // The frozen one has its answer, but cannot read it yet.
    server.script(proposes('# From the frozen one'));
    gate.letOneThrough();
    await eventually(() => expect(server.requests).toHaveLength(1));
    server.script(proposes('# From the other one'));
    gate.letOneThrough();
    await builders.untilRow(id, { status: 'awaiting_review' });
    const before = await builders.row(id);
    expect(before.proposed_config).toMatchObject({ data: { input: '# From the other one' } });
    // The other one may have renewed its lease in the moment it gave it up.
    const { length: refused } = await refusedWrites(builders.database);
    frozen.signal('SIGCONT');
    await eventually(async () =>
      expect((await refusedWrites(builders.database)).length).toBeGreaterThan(refused),
    );
    await frozen.stop();
    expect(await frozen.exited).toBe(0);
    expect(await builders.row(id)).toEqual(before);
    expect(await statesOf(builders.database, id)).toEqual(path);
  });

  it('that ends hands its work back, and the other one goes on long before the lease is over', async () => {
    await prepare({ BUILDER_LEASE_MS: '600000' });
    const first = await builders.startProcess();
    const id = await start();
    await eventually(() => expect(gate.waiting).toBe(1));
    await builders.startProcess();
    await first.stop();
    expect(await first.exited).toBe(0);
    server.script(proposes('# Mails'));
    gate.letOneThrough();
    await eventually(() => expect(gate.waiting).toBe(1));
    gate.letOneThrough();
    await builders.untilRow(id, { status: 'awaiting_review', failed_attempts: 0 });
    expect(await statesOf(builders.database, id)).toEqual(path);
  });

  it('that ends while nobody else is there leaves its work to the next', async () => {
    await prepare({ BUILDER_LEASE_MS: '600000' });
    const first = await builders.startProcess();
    const id = await start();
    await eventually(() => expect(gate.waiting).toBe(1));
    await first.stop();
    expect(await builders.row(id)).toMatchObject({ status: 'running', phase: 'drafting', lease_token: null });
    server.script(proposes('# Mails'));
    gate.letOneThrough();
    await builders.startProcess();
    await eventually(() => expect(gate.waiting).toBe(1));
    gate.letOneThrough();
    await builders.untilRow(id, { status: 'awaiting_review' });
  });

  /** A builder run that waits for its model, after which its worker is lost; so many were lost before. */
  const lostBy = async (before: number) => {
    await prepare({ BUILDER_LEASE_MS: '2000' });
    await builders.startHere();
    const id = await start();
    await eventually(() => expect(gate.waiting).toBe(1));
    await builders.database.query(
      `UPDATE agents_and_revisions.builder_run
          SET lost_workers = $2, lease_token = gen_random_uuid(), lease_until = now() - interval '1 s' WHERE id = $1`,
      [id, before],
    );
    return id;
  };

  it('that is lost as others were before it is the last', async () => {
    const id = await lostBy(5);
    await builders.untilRow(id, { status: 'failed' });
    expect((await builders.until(id, 'failed')).error).toMatchObject({ code: 'worker_lost' });
  });

  it('that is lost is forgiven when the run gets further', async () => {
    const id = await lostBy(4);
    await builders.untilRow(id, { lost_workers: 5 });
    server.script(proposes('# Mails'));
    await eventually(async () => {
      if (gate.waiting > 0) gate.letOneThrough();
      expect(await builders.row(id)).toMatchObject({ status: 'awaiting_review', lost_workers: 0 });
    });
  });
});

describe('a builder run that meets an error nobody foresaw', () => {
  let builders: BuilderUnderTest;

  beforeEach(async () => {
    builders = await BuilderUnderTest.prepare({ BUILDER_LEASE_MS: '2000' });
    await builders.startHere();
  });

  afterEach(() => builders?.stop());

  /** Every write that leads to the phase fails, as a fault in the code would. */
  const breakWrite = (phase: string) =>
    builders.database.query(`
      CREATE FUNCTION break_write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'secret detail'; END $$;
      CREATE TRIGGER break_write BEFORE UPDATE ON agents_and_revisions.builder_run FOR EACH ROW
        WHEN (OLD.phase <> NEW.phase AND NEW.phase = '${phase}') EXECUTE FUNCTION break_write();`);

  it('fails after the last attempt, and tells nothing of the inside', async () => {
    await breakWrite('checking');
    const id = await builders.generate((await builders.makeAgent()).buildId);
    const failed = await builders.until(id, 'failed', 30_000);
    expect(failed).toMatchObject({
      error: { code: 'internal_error', message: 'The builder failed for an internal reason.' },
      progress: { phase: 'drafting' },
      proposed_config: null,
    });
  });

  it('goes on when the error has passed', async () => {
    await breakWrite('checking');
    const id = await builders.generate((await builders.makeAgent()).buildId);
    await eventually(async () => expect((await builders.row(id)).failed_attempts).toBeGreaterThan(0), {
      everyMs: 5,
    });
    await builders.database.query('DROP TRIGGER break_write ON agents_and_revisions.builder_run');
    await builders.until(id, 'awaiting_review', 30_000);
  });
});

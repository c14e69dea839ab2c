import { eventually, startModelServer, type ModelServer } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { RunChanges } from '../src/run-core/changes/run-changes.js';
import { changeBy } from '../src/run-core/run-state.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

interface Lease {
  readonly token: string | null;
  readonly until: Date | null;
}

describe('the lease of a run', () => {
  let models: ModelServer;
  let runs: RunsUnderTest;
  let sleeper: string;

  beforeAll(async () => {
    models = await startModelServer();
    runs = await startRuns({
      environment: { COMPATIBLE_BASE_URL: models.openAiUrl, RUN_LEASE_MS: '3000', MODEL_TIMEOUT_MS: '60000' },
    });
    sleeper = await runs.agent(['wait 60000', 'finish Done']);
  });

  afterAll(async () => {
    await runs?.stop();
    await models?.close();
  });

  const lease = async (runId: string): Promise<Lease> => {
    const [row] = await runs.database.query<Lease>(
      'SELECT lease_token AS token, lease_until AS until FROM runs.run WHERE id = $1',
      [runId],
    );
    return row!;
  };

  /** A run that waits for its time, without a worker. */
  async function asleep(): Promise<string> {
    const { id } = await runs.start(sleeper);
    await eventually(async () => {
      const rows = await runs.database.query(
        'SELECT 1 FROM runs.run WHERE id = $1 AND wake_at IS NOT NULL AND lease_token IS NULL',
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    return id;
  }

  it('is renewed as long as the worker works on the run', async () => {
    models.script({ kind: 'hang' });
    const { id } = await runs.start(await runs.agent('Think.', { model: 'compatible/stand-in' }));
    await eventually(() => expect(models.requests).toHaveLength(1));
    const first = await lease(id);
    // A lease later.
    await eventually(
      async () => {
        const { token, until } = await lease(id);
        expect(token).toBe(first.token);
        expect(until!.getTime()).toBeGreaterThan(first.until!.getTime() + 3_000);
      },
      { timeoutMs: 20_000 },
    );
    expect(models.requests).toHaveLength(1);
  });

  it('lets its holder alone change the run', async () => {
    const id = await asleep();
    const token = uuidv7();
    await runs.database.query(
      `UPDATE runs.run SET lease_token = $2, lease_until = now() + interval '1 hour' WHERE id = $1`,
      [id, token],
    );
    const stored = () => runs.database.query('SELECT to_jsonb(run) AS run FROM runs.run WHERE id = $1', [id]);
    const before = await stored();
    const changes = runs.running.app.get(RunChanges);
    const change = (fence: string) =>
      changes.commit({
        runId: id,
        ...changeBy('step'),
        token: fence,
        activeMs: 5,
        keepsLease: true,
        messages: [],
        events: [],
      });
    expect(await change(uuidv7())).toBeUndefined();
    expect(await stored()).toEqual(before);
    expect(await change(token)).toMatchObject({ run_id: id, status: 'running' });
    expect(await stored()).not.toEqual(before);
  });

  it('is taken by a worker although the job of the run was lost', async () => {
    const id = await asleep();
    // The job comes in a minute, which is longer than the test waits.
    await runs.database.query(
      `UPDATE runs.run SET wake_at = now(), queued_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    expect((await runs.reach(id, 'completed')).run.result).toBe('Done');
  });
});

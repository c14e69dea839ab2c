import { eventually } from '@aos/testing';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { RunChanges } from '../src/run-core/changes/run-changes.js';
import { RunLeasesRepository } from '../src/run-core/claims/run-leases.repository.js';
import { changeBy } from '../src/run-core/run-state.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const longMs = 3_600_000;

describe('a statement over many runs, of which one is locked', () => {
  let runs: RunsUnderTest;
  let sleeper: string;
  let other: pg.Client;

  beforeAll(async () => {
    runs = await startRuns();
    sleeper = await runs.agent([`wait ${longMs}`, 'finish Done']);
  });

  afterAll(() => runs?.stop());

  beforeEach(async () => {
    other = new pg.Client({ connectionString: runs.database.url });
    await other.connect();
  });

  afterEach(() => other.end());

  async function asleep(): Promise<string> {
    const { id } = await runs.start(sleeper);
    await eventually(async () => {
      const rows = await runs.database.query('SELECT 1 FROM runs.run WHERE id = $1 AND wake_at IS NOT NULL', [
        id,
      ]);
      expect(rows).toHaveLength(1);
    });
    return id;
  }

  /** What it holds, those could wait for for whom it waits. */
  async function waitsWithEmptyHands(
    [first, second]: readonly [string, string],
    work: () => Promise<unknown>,
  ): Promise<void> {
    await other.query('BEGIN');
    await other.query('SELECT FROM runs.run WHERE id = $1 FOR UPDATE', [first]);
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const done = work();
    await eventually(async () => {
      const blocked = await runs.database.query(
        'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
        [rows[0]!.pid],
      );
      expect(blocked).toHaveLength(1);
    });
    await other.query('SELECT FROM runs.run WHERE id = $1 FOR UPDATE NOWAIT', [second]);
    await other.query('COMMIT');
    await done;
  }

  it('waits before it has locked others, when it changes them', async () => {
    const [first, second] = [await asleep(), await asleep()];
    const changes = runs.running.app.get(RunChanges);
    const change = (runId: string) =>
      changes.commit({ runId, ...changeBy('step'), requeueAfterMs: longMs, messages: [], events: [] });
    await waitsWithEmptyHands([first, second], () => Promise.all([second, first].map(change)));
  });

  it('waits before it has locked others, when it renews their leases', async () => {
    const [first, second] = [await asleep(), await asleep()];
    const leases = [second, first].map((runId) => ({ runId, token: uuidv7() }));
    for (const { runId, token } of leases) {
      await runs.database.query(
        `UPDATE runs.run SET lease_token = $2, lease_until = now() + interval '1 hour' WHERE id = $1`,
        [runId, token],
      );
    }
    const repository = runs.running.app.get(RunLeasesRepository);
    await waitsWithEmptyHands([first, second], () => repository.renew(leases, longMs));
  });
});

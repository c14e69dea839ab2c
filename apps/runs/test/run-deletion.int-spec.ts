import {
  deleteRun,
  getRun,
  listRunMessages,
  listRuns,
  listRunSandboxFilesByRun,
  respondToHumanRequest,
  stopRun,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { RunDeletion } from '../src/runs/deletion/run-deletion.js';
import { runsClient, startRuns, type RunsUnderTest } from './runs-under-test.js';

/** Every table with rows of a run, and the column that names it. */
const tables = [
  ['run', 'id'],
  ['run_message', 'run_id'],
  ['run_step', 'run_id'],
  ['logged_event', 'run_id'],
  ['run_title', 'run_id'],
  ['run_evaluation', 'run_id'],
  ['human_request', 'run_id'],
  ['browser_session', 'run_id'],
  ['screenshot', 'run_id'],
] as const;

describe('runs that are deleted', () => {
  let runs: RunsUnderTest;
  let writer: string;

  beforeAll(async () => {
    runs = await startRuns();
    writer = await runs.agent([
      'tool write_file {"path": "note.txt", "content": "Hello"}',
      'approve Go on?',
      'finish Done',
    ]);
  });

  afterAll(async () => {
    await runs?.stop();
  });

  /** A run that has left something in every table. */
  async function endedRun(): Promise<string> {
    const { id } = await runs.start(writer);
    const { pending_human_request: request } = await runs.reach(id, 'waiting');
    const params = { run_id: id, request_id: request!.id };
    await runs.call(respondToHumanRequest, { params, body: { approved: true } });
    await runs.reach(id, 'completed');
    const [session, page] = [uuidv7(), uuidv7()];
    await runs.database.query(
      `INSERT INTO runs.browser_session (id, run_id, team_id, started_at) VALUES ($1, $2, $3, now())`,
      [session, id, runs.teamId],
    );
    await runs.database.query(
      `INSERT INTO runs.browser_page (id, session_id, url, title, opened_at) VALUES ($1, $2, 'a:', '', now())`,
      [page, session],
    );
    await runs.database.query(
      `INSERT INTO runs.screenshot (id, run_id, session_id, page_id, url, title, action, captured_at, width, height, file_path)
       VALUES ($1, $2, $3, $4, 'a:', '', 'open', now(), 1, 1, '/a.png')`,
      [uuidv7(), id, session, page],
    );
    await eventually(async () => expect(await rowsOf(id)).not.toContain(0));
    return id;
  }

  const rowsOf = async (runId: string): Promise<number[]> =>
    Promise.all(
      tables.map(async ([table, column]) => {
        const [row] = await runs.database.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM runs.${table} WHERE ${column} = $1`,
          [runId],
        );
        return row!.count;
      }),
    );

  const remove = (runId: string, key?: string) => runs.call(deleteRun, { params: { run_id: runId }, key });
  const total = async () =>
    (await runs.call(listRuns, { params: { teamId: runs.teamId }, query: { count_only: 'true' } })).body
      .total;
  const pages = async () => (await runs.database.query('SELECT 1 FROM runs.browser_page')).length;

  it('leave nothing behind, and the totals without them', async () => {
    const kept = await endedRun();
    const id = await endedRun();
    const before = [await total(), await pages()];
    expect(await remove(id)).toMatchObject({ status: 200, body: { success: true } });
    expect([await told(id), await told(kept)]).toEqual([[runs.teamId], []]);
    expect(await rowsOf(id)).toEqual(tables.map(() => 0));
    expect([await total(), await pages()]).toEqual(before.map((count) => count - 1));
    expect(await rowsOf(kept)).not.toContain(0);
    const params = { run_id: id };
    for (const operation of [getRun, listRunMessages, listRunSandboxFilesByRun, deleteRun]) {
      expect((await runs.call(operation, { params })).status).toBe(404);
    }
    await eventually(async () => {
      const left = await runs.database.query(
        'SELECT 1 FROM runs.sandbox WHERE id = $1 AND expires_at > now()',
        [id],
      );
      expect(left).toHaveLength(0);
    });
  });

  const told = async (runId: string) =>
    (
      await runs.database.query<{ team_id: string }>(
        `SELECT team_id FROM runs.logged_event WHERE event = 'run.deleted' AND data ->> 'run_id' = $1`,
        [runId],
      )
    ).map(({ team_id }) => team_id);

  it('answer the same to a request that is repeated with its key', async () => {
    const id = await endedRun();
    const first = await remove(id, 'once');
    expect(await remove(id, 'once')).toMatchObject({ status: 200, body: first.body });
  });

  it('must have ended', async () => {
    const { id } = await runs.start(await runs.agent(['wait 600000', 'finish Done']));
    await runs.reach(id, 'running');
    expect(await remove(id)).toMatchObject({ status: 409, body: { error: 'invalid_state' } });
    await runs.call(stopRun, { params: { run_id: id } });
    expect((await remove(id)).status).toBe(200);
  });

  it('of another team are not found, and stay', async () => {
    const id = await endedRun();
    const stranger = runsClient(runs.running.app.get(ServiceClient), runs.database);
    expect((await stranger.call(deleteRun, { params: { run_id: id } })).status).toBe(404);
    expect(await rowsOf(id)).not.toContain(0);
  });

  it('leave the runs that they have started', async () => {
    const helper = await runs.agent(['finish Helped']);
    const caller = await runs.agent([
      `tool call_agent {"agent_id": "${helper}", "message": "Hi"}`,
      'finish Done',
    ]);
    const { id } = await runs.start(caller);
    await runs.reach(id, 'completed');
    const [child] = await runs.database.query<{ id: string }>(
      'SELECT id FROM runs.run WHERE parent_run_id = $1',
      [id],
    );
    await remove(id);
    expect((await runs.show(child!.id)).run.status).toBe('completed');
  });

  it('go by themselves when they are older than they are kept, in small batches, and no others', async () => {
    const [old, young] = [await endedRun(), await endedRun()];
    const asOld = uuidOf(Date.now() - 40 * 24 * 3600_000);
    for (const [table, column] of tables) {
      await runs.database.query(`UPDATE runs.${table} SET ${column} = $2 WHERE ${column} = $1`, [old, asOld]);
    }
    await runs.database.query(`UPDATE runs.run SET completed_at = now() - interval '40 days' WHERE id = $1`, [
      asOld,
    ]);
    const deletion = runs.running.app.get(RunDeletion);
    expect(await deletion.deleteOld(50)).toBe(false);
    expect(await deletion.deleteOld(30)).toBe(true);
    expect(await deletion.deleteOld(30)).toBe(false);
    expect(await rowsOf(asOld)).toEqual(tables.map(() => 0));
    expect([await told(asOld), await told(young)]).toEqual([[runs.teamId], []]);
    expect(await rowsOf(young)).not.toContain(0);
  });
});

function uuidOf(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}${uuidv7().slice(13)}`;
}

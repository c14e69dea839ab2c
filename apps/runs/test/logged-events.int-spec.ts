import { AsyncLocalStorage } from 'node:async_hooks';
import { deleteRun, streamRunEvents } from '@aos/contracts';
import { OutboxLog } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { eventually, waitingSessions } from '@aos/testing';
import { RunDeletion } from '../src/runs/deletion/run-deletion.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

/** Calls what it is given in no transaction of the caller's: it is made before any was open. */
const detached = AsyncLocalStorage.snapshot();

describe('the events of a run', () => {
  let runs: RunsUnderTest;
  let agentId: string;

  beforeAll(async () => {
    runs = await startRuns();
    agentId = await runs.agent(['say Hello', 'finish Done']);
  });

  afterAll(async () => {
    await runs?.stop();
  });

  async function endedRun(): Promise<string> {
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'completed');
    await eventually(async () => {
      const waiting = await runs.database.query('SELECT 1 FROM runs.outbox_batch WHERE after IS NULL');
      expect(waiting).toEqual([]);
    });
    return id;
  }

  const stream = async (runId: string, after = 0) =>
    (await runs.call(streamRunEvents, { params: { run_id: runId }, query: { after: String(after) } })).body
      .events;
  /** Each event of a run that is stored, and whether it is the run's and in the log. */
  const stored = (runId: string) =>
    runs.database.query<{ event: string; of_run: boolean; in_log: boolean }>(
      `SELECT event, run_id IS NOT NULL AS of_run, EXISTS (SELECT FROM runs.outbox_batch WHERE id = batch_id) AS in_log
         FROM runs.logged_event
        WHERE data ->> 'run_id' = $1 AND event <> 'run.deleted' ORDER BY batch_id, place`,
      [runId],
    );
  /** Everything older than an hour that is not behind something younger. */
  const prune = async () => {
    const log = runs.running.app.get(OutboxLog);
    while ((await log.prune(1)) > 0);
  };
  const allAreOld = () =>
    runs.database.query(`UPDATE runs.outbox_batch SET created_at = now() - interval '2 hours'`);

  it('are stored once, for its stream and for the log', async () => {
    const id = await endedRun();
    const told = await stream(id);
    expect((await stored(id)).map(({ event }) => event)).toEqual(told.map(({ event }) => event));
    expect(await stored(id)).toEqual(told.map(({ event }) => ({ event, of_run: true, in_log: true })));
  });

  it('are in its stream as long as it is there, also when the log has them no more', async () => {
    const id = await endedRun();
    const told = await stream(id);
    await allAreOld();
    await prune();
    expect((await stored(id)).map(({ in_log: inLog }) => inLog)).toEqual(told.map(() => false));
    expect(await stream(id)).toEqual(told);
    expect(await stream(id, 1)).toEqual(told.slice(1));
    await runs.call(deleteRun, { params: { run_id: id } });
    expect(await stored(id)).toEqual([]);
  });

  it('stay in the log when the run is deleted, without what they say, until they are old', async () => {
    const id = await endedRun();
    const names = (await stream(id)).map(({ event }) => event);
    await runs.call(deleteRun, { params: { run_id: id } });
    const left = await runs.database.query<{ event: string; data: object }>(
      `SELECT event, data FROM runs.logged_event WHERE data ->> 'run_id' = $1 AND event <> 'run.deleted'`,
      [id],
    );
    const facts = { run_id: id, deleted: true };
    expect(left.find(({ event }) => event === 'run.completed')!.data).toEqual({
      ...facts,
      status: 'completed',
      agent_id: agentId,
    });
    expect(left.find(({ event }) => event === 'run.message.created')!.data).toEqual(facts);
    expect((await runs.call(streamRunEvents, { params: { run_id: id } })).status).toBe(404);
    expect(await stored(id)).toEqual(names.map((event) => ({ event, of_run: false, in_log: true })));
    await allAreOld();
    await prune();
    expect(await stored(id)).toEqual([]);
  });

  it('are gone when the run is deleted and the log pruned, whichever comes first and waits for whom', async () => {
    const transactions = runs.running.app.get(Transactions);
    const log = runs.running.app.get(OutboxLog);
    const deletion = runs.running.app.get(RunDeletion);
    for (const first of ['deletion', 'pruning']) {
      const id = await endedRun();
      await allAreOld();
      const remove = () => transactions.run(() => deletion.delete(runs.teamId, id));
      const works = { deletion: remove, pruning: () => log.prune(1) };
      const other: () => Promise<unknown> = first === 'deletion' ? works.pruning : works.deletion;
      let second!: Promise<unknown>;
      await transactions.run(async () => {
        await works[first as keyof typeof works]();
        // Outside this transaction, in a call chain of its own.
        second = detached(other);
        await eventually(async () => expect(await waitingSessions(runs.database)).toBe(1));
      });
      await second;
      expect(await stored(id)).toEqual([]);
    }
  });
});

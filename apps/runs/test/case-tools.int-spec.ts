import {
  createCaseTrigger,
  listCases,
  listQueueAgents,
  listRuns,
  respondToHumanRequest,
  updateCaseTrigger,
  type Case,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { eventually } from '@aos/testing';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { casesClient, type CasesClient } from './cases-under-test.js';
import { runsClient, startRuns, type RunsUnderTest } from './runs-under-test.js';
import { callEnds, perform, type CallEnd } from './tools-under-test.js';

describe('what a run does with its case', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
  });

  afterAll(() => runs?.stop());

  const line = (name: string, args: object = {}) => `tool ${name} ${JSON.stringify(args)}`;

  /** Lets an agent work on a case by these steps, once; gives both when the run has completed. */
  async function work(
    steps: readonly string[],
    given: Parameters<CasesClient['add']>[1] = 'a case',
  ): Promise<{ queueId: string; row: Case; runId: string; ends: CallEnd[] }> {
    const queueId = await cases.queue();
    const agentId = await runs.agent([...steps, 'finish ok']);
    const triggerId = await cases.trigger(agentId, queueId, { concurrency: 1 });
    const [made] = await cases.add(queueId, given);
    const rows = await eventualRun(made!.id);
    const params = { agent_id: agentId, trigger_id: triggerId };
    await runs.call(updateCaseTrigger, { params, body: { enabled: false } });
    await runs.reach(rows, 'completed');
    const { case: row } = await cases.show(made!.id);
    return { queueId, row: row as Case, runId: rows, ends: await callEnds(runs, rows) };
  }

  async function eventualRun(caseId: string): Promise<string> {
    await cases.reach(caseId, 'in_progress', 'completed', 'failed', 'postponed', 'pending');
    for (;;) {
      const [row] = await runs.database.query<{ id: string }>('SELECT id FROM runs.run WHERE case_id = $1', [
        caseId,
      ]);
      if (row) return row.id;
    }
  }

  it('completes it, once', async () => {
    const { row, runId, ends } = await work([
      line('complete_case', { result: { paid: true } }),
      line('complete_case'),
      line('fail_case', { reason: 'too late' }),
    ]);
    expect(ends).toEqual([
      { name: 'complete_case', result: { case_id: row.id, status: 'completed' } },
      { name: 'complete_case', error: 'This run does not hold the case any more: it is completed.' },
      { name: 'fail_case', error: 'This run does not hold the case any more: it is completed.' },
    ]);
    expect(row).toMatchObject({ status: 'completed', claimed_by_run_id: runId });
    const { events } = await cases.show(row.id);
    expect(events.at(-1)).toMatchObject({
      type: 'completed',
      reason: '{"paid":true}',
      actor: { type: 'run', id: runId },
    });
    expect(events).toHaveLength(3);
  });

  it('completes it with the beginning of a result that is too long, even if the cut halves a character', async () => {
    const { row, ends } = await work([line('complete_case', { result: '😀'.repeat(10_001) })]);
    expect(ends).toEqual([{ name: 'complete_case', result: { case_id: row.id, status: 'completed' } }]);
    const { reason } = (await cases.show(row.id)).events.at(-1)!;
    expect([reason!.length, reason!.slice(0, 2), reason!.slice(-2)]).toEqual([20_000, '😀', '\uFFFD…']);
  });

  it('fails it with a reason, which it must give', async () => {
    const { row, ends } = await work([line('fail_case'), line('fail_case', { reason: 'no such customer' })]);
    expect(ends[0]!.error).toContain('reason');
    expect(row.status).toBe('failed');
    expect((await cases.show(row.id)).events.at(-1)).toMatchObject({
      type: 'failed',
      reason: 'no such customer',
    });
  });

  it.each([
    ['is settled when it is let go', undefined, { result: expect.objectContaining({ status: 'completed' }) }],
    [
      'is left alone if it was settled meanwhile',
      `UPDATE runs.queue_case SET status = 'failed' WHERE id = $1`,
      { error: 'This run does not hold the case any more: it is failed.' },
    ],
  ])('that somebody else has locked %s', async (_, change, end) => {
    const queueId = await cases.queue();
    await cases.trigger(await runs.agent(['wait 500', line('complete_case'), 'finish ok']), queueId);
    const [made] = await cases.add(queueId, 'locked');
    const runId = await eventualRun(made!.id);
    const other = new pg.Client({ connectionString: runs.database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM runs.queue_case WHERE id = $1 FOR UPDATE', [made!.id]);
      const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await eventually(async () => expect(await waitingFor(rows[0]!.pid)).toBe(1));
      if (change) await other.query(change, [made!.id]);
      await other.query('COMMIT');
    } finally {
      await other.end();
    }
    await runs.reach(runId, 'completed');
    expect(await callEnds(runs, runId)).toEqual([{ name: 'complete_case', ...end }]);
  });

  /** How many wait for what a connection has locked. */
  async function waitingFor(pid: number): Promise<number> {
    const blocked = 'SELECT count(*)::int FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    return (await runs.database.query<{ count: number }>(blocked, [pid]))[0]!.count;
  }

  it('postpones it, and holds it no more', async () => {
    const until = '2999-01-01T00:00:00.000Z';
    const { row, ends, runId } = await work([
      line('postpone_case', { until: 'later' }),
      line('postpone_case', { until, reason: 'bank holiday' }),
      line('complete_case'),
    ]);
    expect(ends[0]!.error).toContain('until');
    expect(ends[1]).toEqual({ name: 'postpone_case', result: { case_id: row.id, postponed_to: until } });
    expect(ends[2]!.error).toContain('does not hold the case');
    expect(row).toMatchObject({ display_status: 'postponed', postponed_to: until, claimed_by_run_id: null });
    expect(await cases.history(row.id)).toEqual(['created', 'claimed', 'postponed']);
    const { run } = await runs.show(runId);
    expect(run).toMatchObject({ case_id: row.id, case_queue_item_id: row.id, postponed_to: until });
    const { body } = await runs.call(listRuns, { query: { case_id: row.id } });
    expect(body.data).toMatchObject([{ id: runId, postponed_to: until }]);
  });

  it('hands it over to another queue, with labels of the same names', async () => {
    const other = await cases.queue();
    const { row, ends, queueId } = await work(
      [
        line('hand_over_case', { queue_id: '01900000-0000-7000-8000-000000000000' }),
        line('hand_over_case', { queue_id: other, reason: 'not ours' }),
      ],
      { title: 'handed over', labels: [{ key: 'region', value: 'north' }], data: { word: 'findable' } },
    );
    expect(ends[0]!.error).toBe('This team has no queue 01900000-0000-7000-8000-000000000000.');
    expect(row).toMatchObject({
      queue_id: other,
      display_status: 'pending',
      labels: [{ key: 'region', value: 'north' }],
      claimed_by_run_id: null,
    });
    expect((await cases.show(row.id)).events.at(-1)).toMatchObject({
      type: 'handed_over',
      reason: 'not ours',
    });
    const counts = await runs.database.query(
      `SELECT queue_id, sum(cases)::int AS cases FROM runs.case_tally WHERE queue_id = ANY ($1) GROUP BY queue_id
        ORDER BY cases`,
      [[queueId, other]],
    );
    expect(counts).toEqual(
      [
        { queue_id: queueId, cases: 0 },
        { queue_id: other, cases: 1 },
      ].filter(({ queue_id: id }) => counts.some((one) => (one as { queue_id: string }).queue_id === id)),
    );
    const agentId = await runs.agent([line('complete_case'), 'finish ok']);
    await runs.call(createCaseTrigger, { params: { agent_id: agentId }, body: { case_queue_id: other } });
    await cases.reach(row.id, 'completed');
  });

  it('changes what it says', async () => {
    const { row } = await work([
      line('update_case', {
        title: 'changed',
        data: { step: 2 },
        priority: 'high',
        labels: [{ key: 'k', value: 'v' }],
      }),
      line('complete_case'),
    ]);
    expect(row).toMatchObject({
      title: 'changed',
      data: { step: 2 },
      priority: 'high',
      labels: [{ key: 'k', value: 'v' }],
      status: 'completed',
    });
    expect(await cases.history(row.id)).toEqual(['created', 'claimed', 'updated', 'completed']);
  });

  it('adds others, to its own queue or to one that it names', async () => {
    const other = await cases.queue();
    const { ends, queueId } = await work([
      line('add_cases', { cases: [{ title: 'follow-up', priority: 'high' }] }),
      line('add_cases', { queue_id: other, cases: [{ title: 'one' }, { title: 'two' }] }),
      line('add_cases', { queue_id: '01900000-0000-7000-8000-000000000000', cases: [{ title: 'lost' }] }),
      line('complete_case'),
    ]);
    expect(ends[0]!.result).toMatchObject({ queue_id: queueId, case_ids: [expect.any(String)] });
    expect(ends[1]!.result).toMatchObject({
      queue_id: other,
      case_ids: [expect.any(String), expect.any(String)],
    });
    expect(ends[2]!.error).toContain('This team has no queue');
    const [followUp] = (ends[0]!.result as { case_ids: string[] }).case_ids;
    const { case: row, events } = await cases.show(followUp!);
    expect(row).toMatchObject({ title: 'follow-up', priority: 'high' });
    expect(events[0]).toMatchObject({ type: 'created', actor: { type: 'run' } });
  });

  it('learns nothing of queues of another team, and does nothing to them', async () => {
    const stranger = runsClient(runs.running.app.get(ServiceClient), runs.database);
    const foreign = await casesClient(stranger).queue();
    const unknown = uuidv7();
    const calls = (queueId: string) => [
      line('add_cases', { queue_id: queueId, cases: [{ title: 'planted' }] }),
      line('hand_over_case', { queue_id: queueId }),
    ];
    const { ends, row } = await work([...calls(foreign), ...calls(unknown), line('complete_case')]);
    const told = ends.slice(0, 4).map(({ error }) => error!.replace(foreign, '…').replace(unknown, '…'));
    expect(new Set(told)).toEqual(new Set(['This team has no queue ….']));
    expect(row).toMatchObject({ status: 'completed' });
    const { body } = await stranger.call(listCases, { params: { queue_id: foreign } });
    expect(body.total).toBe(0);
    const { body: agents } = await stranger.call(listQueueAgents, { params: { queue_id: foreign } });
    expect(agents.producers).toEqual([]);
  });

  it('has nothing to settle in a run without a case', async () => {
    const { ends } = await perform(runs, [
      ['complete_case'],
      ['add_cases', { cases: [{ title: 'nowhere' }] }],
    ]);
    expect(ends).toEqual([
      { name: 'complete_case', error: 'This run has no case.' },
      { name: 'add_cases', error: 'queue_id: is required, since this run has no case.' },
    ]);
  });

  it('asks a person, which the case shows', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['approve Pay it?', line('complete_case'), 'finish ok']);
    await cases.trigger(agentId, queueId);
    const [made] = await cases.add(queueId, 'to be approved');
    const { case: waiting } = await cases.reach(made!.id, 'needs_input');
    const params = {
      run_id: waiting.claimed_by_run_id!,
      request_id: waiting.pending_human_request_id!,
    };
    await runs.call(respondToHumanRequest, { params, body: { approved: true } });
    const { case: settled } = await cases.reach(made!.id, 'completed');
    expect(settled.pending_human_request_id).toBeNull();
  });
});

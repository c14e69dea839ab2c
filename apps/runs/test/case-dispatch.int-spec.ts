import {
  bulkReprocessCases,
  deleteCase,
  deleteCaseTrigger,
  deleteQueue,
  getAgentRun,
  listAgentCaseTriggers,
  listCaseRuns,
  listRuns,
  respondToHumanRequest,
  stopRun,
  updateCase,
  updateCaseTrigger,
  type Run,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { casesClient, counted, type CasesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const complete = 'tool complete_case {"result": "Done"}';

describe('cases are given to runs', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
  });

  afterAll(() => runs?.stop());

  const eventsOf = (caseId: string) =>
    runs.database.query<{ event: string; data: object }>(
      `SELECT event, data FROM runs.logged_event WHERE event LIKE 'queue.case.%' AND data ->> 'case_id' = $1
        ORDER BY batch_id, place`,
      [caseId],
    );

  /** The titles in the order in which their cases were taken. */
  async function takenOrder(queueId: string): Promise<string[]> {
    const rows = await runs.database.query<{ case_title: string }>(
      'SELECT case_title FROM runs.run WHERE case_queue_id = $1 ORDER BY id',
      [queueId],
    );
    return rows.map(({ case_title: title }) => title);
  }

  it('at once: the run begins with the case, settles it, and shows it', async () => {
    const queueId = await cases.queue('Invoices');
    const agentId = await runs.agent([complete, 'finish ok']);
    await cases.trigger(agentId, queueId);
    const [made] = await cases.add(queueId, {
      title: 'Invoice 4711',
      data: { total: 12.5 },
      labels: [{ key: 'region', value: 'north' }],
      priority: 'high',
    });
    const { case: settled, events } = await cases.reach(made!.id, 'completed');
    const runId = settled.claimed_by_run_id!;
    expect(events.map(({ type, actor, reason }) => [type, actor.type, reason])).toEqual([
      ['created', 'credential', null],
      ['claimed', 'run', null],
      ['completed', 'run', 'Done'],
    ]);
    const { run } = await runs.reach(runId, 'completed');
    expect(run).toMatchObject({
      source: 'case',
      title: 'Invoice 4711',
      case_id: made!.id,
      case_title: 'Invoice 4711',
      case_queue_id: queueId,
      case_queue_name: 'Invoices',
      user_id: null,
    });
    const [first] = await runs.messages(runId);
    const [title, blank, ...fenced] = first!.text_content!.split('\n');
    expect([title, blank, fenced[0], fenced.at(-1)]).toEqual(['Invoice 4711', '', '```json', '```']);
    expect(JSON.parse(fenced.slice(1, -1).join('\n'))).toEqual({
      case_id: made!.id,
      data: { total: 12.5 },
      labels: [{ key: 'region', value: 'north' }],
      priority: 'high',
    });
    const { body: detailed } = await runs.call(getAgentRun, { params: { agentId, runId } });
    expect(detailed.case).toMatchObject({ id: made!.id, status: 'completed' });
    const { body: ofCase } = await runs.call(listCaseRuns, { params: { case_id: made!.id } });
    expect(ofCase).toMatchObject({ total: 1, runs: [{ id: runId, case_id: made!.id }] });
    const queries: Record<string, string>[] = [
      { case_id: made!.id },
      { case_queue_id: queueId },
      { search: 'voice 4711' },
    ];
    for (const query of queries) {
      const { body } = await runs.call(listRuns, { query });
      expect([body.total, (body.data as Run[]).map(({ id }) => id)]).toEqual([1, [runId]]);
    }
    const facts = { case_id: made!.id, queue_id: queueId, title: 'Invoice 4711' };
    expect(await eventsOf(made!.id)).toEqual([
      { event: 'queue.case.created', data: { ...facts, status: 'pending' } },
      { event: 'queue.case.claimed', data: { ...facts, status: 'pending', run_id: runId } },
      { event: 'queue.case.completed', data: { ...facts, status: 'completed', run_id: runId } },
    ]);
  });

  it('that are reprocessed for an agent are taken by it alone, as long as it serves the queue', async () => {
    const queueId = await cases.queue();
    const [wanted, other] = [await runs.agent([complete, 'finish ok']), await runs.agent(['finish ok'])];
    const made = await cases.add(queueId, 'one', 'two', 'three');
    const reprocess = (body: object) =>
      runs.call(bulkReprocessCases, { params: { queue_id: queueId }, body: { all_matching: true, ...body } });
    const enable = async (triggerId: string, enabled: boolean) => {
      const params = { agent_id: wanted, trigger_id: triggerId };
      await runs.call(updateCaseTrigger, { params, body: { enabled } });
    };
    /** Through the table: no trigger can be told to take none. */
    const setConcurrency = (triggerId: string, concurrency: number) =>
      runs.database.query('UPDATE runs.case_trigger SET concurrency = $2 WHERE id = $1', [
        triggerId,
        concurrency,
      ]);
    const takenBy = async (id: string, status: 'completed' | 'failed') => {
      const { case: settled } = await cases.reach(id, status);
      return (await runs.show(settled.claimed_by_run_id!)).run.agent_id;
    };

    const without = await reprocess({ agent_id: wanted });
    expect([without.status, without.body.message]).toEqual([409, expect.stringContaining('agent_id: ')]);
    const trigger = await cases.trigger(wanted, queueId, { enabled: false });
    expect((await reprocess({ agent_id: wanted })).status).toBe(409);
    const elsewhere = await cases.trigger(other, await cases.queue());
    expect((await reprocess({ agent_id: other })).status).toBe(409);
    await runs.call(deleteCaseTrigger, { params: { agent_id: other, trigger_id: elsewhere } });

    await setConcurrency(trigger, 0);
    await enable(trigger, true);
    expect((await reprocess({ agentId: wanted })).body).toEqual(counted('reprocessed', 3, 0));
    await cases.trigger(other, queueId, { concurrency: 50 });
    const [free] = await cases.add(queueId, 'for anybody');
    expect(await takenBy(free!.id, 'failed')).toBe(other);
    for (const { id } of made) expect((await cases.show(id)).case.display_status).toBe('pending');
    await setConcurrency(trigger, 1);
    for (const { id } of made) expect(await takenBy(id, 'completed')).toBe(wanted);

    await setConcurrency(trigger, 0);
    const again = await reprocess({ agent_id: wanted, filters: { status: ['completed'] } });
    expect(again.body).toEqual(counted('reprocessed', 3, 0));
    await enable(trigger, false);
    for (const { id } of made) expect(await takenBy(id, 'failed')).toBe(other);
  });

  it('in order: what comes back, then by priority, then by age', async () => {
    const queueId = await cases.queue();
    await cases.add(
      queueId,
      'old',
      { title: 'medium', priority: 'medium' },
      { title: 'late', postponed_to: '2999-01-01T00:00:00Z' },
      { title: 'high 1', priority: 'high' },
      { title: 'back', postponed_to: '2020-01-01T00:00:00Z' },
      { title: 'high 2', priority: 'high' },
      'new',
    );
    const agentId = await runs.agent([complete, 'finish ok']);
    await cases.trigger(agentId, queueId, { concurrency: 1 });
    await eventually(async () =>
      expect(await takenOrder(queueId)).toEqual(['back', 'high 1', 'high 2', 'medium', 'old', 'new']),
    );
    const { body } = await runs.call(listRuns, { query: { agent_id: agentId, sort_order: 'asc' } });
    expect((body.data as Run[]).map(({ run_number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('a case that was postponed comes back when its time has come', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent([complete, 'finish ok']);
    await cases.trigger(agentId, queueId);
    const until = new Date(Date.now() + 700).toISOString();
    const [made] = await cases.add(queueId, { title: 'soon', postponed_to: until });
    expect(made!.display_status).toBe('postponed');
    const { case: settled } = await cases.reach(made!.id, 'completed');
    expect(new Date(settled.claimed_at!).getTime()).toBeGreaterThanOrEqual(Date.parse(until));
    expect(settled.postponed_to).toBeNull();
  });

  it('within the concurrency of the trigger; a run that waits for a person holds no slot', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['ask Which? | a | b', complete, 'finish ok']);
    await cases.trigger(agentId, queueId, { concurrency: 1 });
    const made = await cases.add(queueId, 'one', 'two', 'three');
    const shown = await Promise.all(made.map(({ id }) => cases.reach(id, 'needs_input')));
    for (const { case: waiting } of shown) {
      const { run, pending_human_request: request } = await runs.show(waiting.claimed_by_run_id!);
      expect([run.status, waiting.pending_human_request_id]).toEqual(['waiting', request!.id]);
      await runs.call(respondToHumanRequest, {
        params: { run_id: run.id, request_id: request!.id },
        body: { answers: { 'Which?': 'a' } },
      });
    }
    for (const { id } of made) {
      const { case: settled } = await cases.reach(id, 'completed');
      expect(settled.pending_human_request_id).toBeNull();
    }
  });

  it('five at a time where the trigger does not say how many, and no more when it is disabled', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['wait 60000', 'finish late']);
    const triggerId = await cases.trigger(agentId, queueId);
    await cases.add(queueId, ...Array.from({ length: 8 }, (_, n) => `case ${n}`));
    await eventually(async () => expect(await takenOrder(queueId)).toHaveLength(5));
    const params = { agent_id: agentId, trigger_id: triggerId };
    await runs.call(updateCaseTrigger, { params, body: { enabled: false } });
    const [first] = await runs.database.query<{ id: string }>(
      `SELECT id FROM runs.run WHERE case_queue_id = $1 ORDER BY id LIMIT 1`,
      [queueId],
    );
    await runs.call(stopRun, { params: { run_id: first!.id } });
    await runs.reach(first!.id, 'stopped');
    // A queue that is served after it: this one was looked at, too.
    const served = await cases.queue();
    const [after] = await cases.add(served, 'after');
    await cases.trigger(await runs.agent([complete, 'finish ok']), served);
    await cases.reach(after!.id, 'completed');
    expect(await takenOrder(queueId)).toHaveLength(5);
    await runs.call(updateCaseTrigger, { params, body: { enabled: true, concurrency: 6 } });
    await eventually(async () => expect(await takenOrder(queueId)).toHaveLength(7));
    await runs.call(deleteQueue, { params: { queue_id: queueId } });
  });

  it('a run that ends without settling its case, fails or is stopped leaves it failed, with the reason', async () => {
    const queueId = await cases.queue();
    const stepsOf: Record<string, string[]> = {
      'The run ended without settling the case.': ['finish ok'],
      Broken: ['fail Broken'],
      'The run was stopped (requested).': ['wait 60000', 'finish late'],
    };
    for (const [reason, steps] of Object.entries(stepsOf)) {
      const agentId = await runs.agent(steps);
      const triggerId = await cases.trigger(agentId, queueId);
      const [made] = await cases.add(queueId, reason);
      if (steps.length > 1) {
        const { case: taken } = await cases.reach(made!.id, 'in_progress');
        await runs.call(stopRun, { params: { run_id: taken.claimed_by_run_id! } });
      }
      const { case: left, events } = await cases.reach(made!.id, 'failed');
      expect(events.at(-1)).toMatchObject({ type: 'failed', reason, actor: { type: 'run' } });
      expect(left.completed_at).not.toBeNull();
      expect((await eventsOf(made!.id)).at(-1)).toMatchObject({
        event: 'queue.case.completed',
        data: { status: 'failed', run_id: left.claimed_by_run_id },
      });
      const params = { agent_id: agentId, trigger_id: triggerId };
      await runs.call(updateCaseTrigger, { params, body: { enabled: false } });
    }
  });

  it('a case that is deleted, settled or reset stops its run', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['wait 60000', 'finish late']);
    const triggerId = await cases.trigger(agentId, queueId);
    const made = await cases.add(queueId, 'deleted', 'settled', 'reset');
    const [deleted, settled, reset] = await Promise.all(
      made.map(async ({ id }) => (await cases.reach(id, 'in_progress')).case),
    );
    const disabled = { params: { agent_id: agentId, trigger_id: triggerId }, body: { enabled: false } };
    await runs.call(updateCaseTrigger, disabled);
    const { body: ofDelete } = await runs.call(deleteCase, { params: { case_id: deleted!.id } });
    expect(ofDelete).toEqual({ success: true, interrupted_run_ids: [deleted!.claimed_by_run_id] });
    const { body: ofUpdate } = await runs.call(updateCase, {
      params: { case_id: settled!.id },
      body: { status: 'completed', reason: 'by hand' },
    });
    expect(ofUpdate).toMatchObject({
      status: 'completed',
      interrupted_run_ids: [settled!.claimed_by_run_id],
      case: { claimed_by_run_id: null },
    });
    const { body: ofReset } = await runs.call(bulkReprocessCases, {
      params: { queue_id: queueId },
      body: { case_ids: [reset!.id, settled!.id, deleted!.id], reason: 'again' },
    });
    expect(ofReset).toEqual({
      ...counted('reprocessed', 2, 1),
      interrupted_run_ids: [reset!.claimed_by_run_id],
      interruptedRunIds: [reset!.claimed_by_run_id],
    });
    for (const row of [deleted, settled, reset]) {
      const { run } = await runs.reach(row!.claimed_by_run_id!, 'stopped');
      expect(run.stop_reason).toMatch(/^case_/);
    }
    expect(await cases.history(reset!.id)).toEqual(['created', 'claimed', 'reprocessed']);
    expect(await cases.history(settled!.id)).toEqual(['created', 'claimed', 'completed', 'reprocessed']);
  });

  it('two triggers share a queue, and say so', async () => {
    const queueId = await cases.queue();
    const one = await runs.agent([complete, 'finish ok']);
    const other = await runs.agent([complete, 'finish ok']);
    await cases.trigger(one, queueId, { concurrency: 2 });
    await cases.trigger(other, queueId, { concurrency: 2 });
    for (const [agentId, conflicting] of [
      [one, other],
      [other, one],
    ] as const) {
      const { body } = await runs.call(listAgentCaseTriggers, { params: { agent_id: agentId } });
      expect(body.case_triggers).toMatchObject([
        { has_conflict: true, conflicting_agents: [{ agent_id: conflicting, name: 'Tester' }] },
      ]);
    }
    const made = await cases.add(queueId, ...Array.from({ length: 30 }, (_, n) => `case ${n}`));
    for (const { id } of made) {
      await cases.reach(id, 'completed');
      expect(await cases.history(id)).toEqual(['created', 'claimed', 'completed']);
    }
    const rows = await runs.database.query<{ count: string }>(
      'SELECT count(*) FROM runs.run WHERE case_queue_id = $1 GROUP BY case_id HAVING count(*) > 1',
      [queueId],
    );
    expect(rows).toEqual([]);
  });
});

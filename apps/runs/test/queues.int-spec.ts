import {
  bulkDeleteCases,
  clearQueueCases,
  createCaseTrigger,
  createQueue,
  deleteAgent,
  deleteCaseTrigger,
  deleteQueue,
  getCase,
  getCaseTrigger,
  getQueue,
  listAgentCaseTriggers,
  listQueueAgents,
  listQueues,
  respondToHumanRequest,
  updateCaseTrigger,
  updateQueue,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { casesClient, deletedWith, type CasesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const nobody = '01900000-0000-7000-8000-000000000000';

describe('queues and triggers', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
  });

  afterAll(() => runs?.stop());

  it('queues are made, read, changed and listed by name; no two have the same', async () => {
    const teamId = uuidv7();
    const of = { teamId, params: { teamId } };
    const { body: made } = await runs.call(createQueue, { ...of, body: { name: 'b', description: 'B' } });
    expect(made.queue).toMatchObject({
      id: made.queue_id,
      team_id: teamId,
      name: 'b',
      description: 'B',
      folder_id: null,
      has_approvals: false,
      case_counts: { pending: 0, completed: 0, failed: 0 },
    });
    await runs.call(createQueue, { ...of, body: { name: 'a' } });
    const taken = await runs.call(createQueue, { ...of, body: { name: 'a' } });
    expect([taken.status, taken.body.error]).toEqual([409, 'already_exists']);
    const params = { queue_id: made.queue_id };
    const renamed = await runs.call(updateQueue, { teamId, params, body: { name: 'a' } });
    expect(renamed.status).toBe(409);
    const { body: changed } = await runs.call(updateQueue, {
      teamId,
      params,
      body: { name: 'c', description: null },
    });
    expect(changed.queue).toMatchObject({ name: 'c', description: null });
    const { body: list } = await runs.call(listQueues, of);
    expect([list.total, list.queues.map(({ name }) => name)]).toEqual([2, ['a', 'c']]);
    const { body: second } = await runs.call(listQueues, { ...of, query: { limit: '1', offset: '1' } });
    expect([second.total, second.queues.map(({ name }) => name)]).toEqual([2, ['c']]);
    expect((await runs.call(getQueue, { params })).status).toBe(404);
    expect((await runs.call(getQueue, { teamId, params })).body.queue).toEqual(changed.queue);
  });

  it('a key makes one queue, and a deletion answers the same again', async () => {
    const name = 'once';
    const [first, again] = [
      await runs.call(createQueue, { body: { name }, key: 'make' }),
      await runs.call(createQueue, { body: { name }, key: 'make' }),
    ];
    expect([again.status, again.text, again.replayed]).toEqual([201, first.text, true]);
    const params = { queue_id: first.body.queue_id };
    await cases.add(params.queue_id, 'one', 'two', 'three');
    const gone = await runs.call(deleteQueue, { params, key: 'delete' });
    expect(gone.body).toEqual(deletedWith(3));
    const replayed = await runs.call(deleteQueue, { params, key: 'delete' });
    expect([replayed.text, replayed.replayed]).toEqual([gone.text, true]);
    expect((await runs.call(deleteQueue, { params })).status).toBe(404);
  });

  it('a queue that is deleted takes its cases, labels and triggers along, and stops their runs', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['wait 60000', 'finish late']);
    await cases.trigger(agentId, queueId);
    const [made] = await cases.add(queueId, { title: 'one', labels: [{ key: 'k', value: 'v' }] });
    const { case: taken } = await cases.reach(made!.id, 'in_progress');
    const { body } = await runs.call(deleteQueue, { params: { queue_id: queueId } });
    expect(body).toEqual(deletedWith(1, [taken.claimed_by_run_id]));
    await runs.reach(taken.claimed_by_run_id!, 'stopped');
    expect((await runs.call(getCase, { params: { case_id: made!.id } })).status).toBe(404);
    const { body: triggers } = await runs.call(listAgentCaseTriggers, { params: { agent_id: agentId } });
    expect(triggers.total).toBe(0);
    for (const table of ['queue_case', 'case_text', 'case_label', 'case_tally']) {
      const sum = table === 'case_tally' ? 'coalesce(sum(cases), 0)' : 'count(*)';
      const rows = await runs.database.query(
        `SELECT ${sum}::int AS left_over FROM runs.${table} WHERE queue_id = $1`,
        [queueId],
      );
      expect([table, rows]).toEqual([table, [{ left_over: 0 }]]);
    }
  });

  it('queues tell whether the run of a case waits for an approval', async () => {
    const [approving, asking] = [await cases.queue(), await cases.queue()];
    const { body } = await runs.call(listQueues, { query: { limit: '250' } });
    const hasApprovals = async (queueId: string) => {
      const { body } = await runs.call(getQueue, { params: { queue_id: queueId } });
      const { body: all } = await runs.call(listQueues, { query: { limit: '250' } });
      expect(all.queues.find(({ id }) => id === queueId)?.has_approvals).toBe(body.queue.has_approvals);
      return body.queue.has_approvals;
    };
    expect(body.queues.map(({ has_approvals }) => has_approvals)).not.toContain(true);
    await cases.trigger(await runs.agent(['approve Go on?', 'finish ok']), approving);
    await cases.trigger(await runs.agent(['ask Which?', 'finish ok']), asking);
    const [held] = await cases.add(approving, 'held');
    const [asked] = await cases.add(asking, 'asked');
    const { case: waiting } = await cases.reach(held!.id, 'needs_input');
    await cases.reach(asked!.id, 'needs_input');
    expect([await hasApprovals(approving), await hasApprovals(asking)]).toEqual([true, false]);
    await runs.call(respondToHumanRequest, {
      params: { run_id: waiting.claimed_by_run_id!, request_id: waiting.pending_human_request_id! },
      body: { approved: true },
    });
    await eventually(async () => expect(await hasApprovals(approving)).toBe(false));
  });

  it('a trigger that is made while its queue is being deleted goes with it', async () => {
    const queueId = await cases.queue();
    const [early, late] = [await runs.agent(['finish ok']), await runs.agent(['finish ok'])];
    const idle = { enabled: false };
    const triggersOf = async (agentId: string) =>
      (await runs.call(listAgentCaseTriggers, { params: { agent_id: agentId } })).body.total;
    await cases.trigger(early, queueId, idle);
    const [held] = await cases.add(queueId, 'held');
    const holder = new pg.Client(runs.database.url);
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM runs.queue_case WHERE id = $1 FOR UPDATE', [held!.id]);
      const deletion = runs.call(deleteQueue, { params: { queue_id: queueId } });
      await eventually(async () => expect(await triggersOf(early)).toBe(0));
      await cases.trigger(late, queueId, idle);
      await holder.query('COMMIT');
      expect((await deletion).body).toMatchObject({ success: true, deleted_case_count: 1 });
    } finally {
      await holder.end();
    }
    expect(await triggersOf(late)).toBe(0);
    await cases.trigger(late, await cases.queue(), idle);
    expect(await triggersOf(late)).toBe(1);
  });

  it('the cases of a queue are cleared, and it stays', async () => {
    const queueId = await cases.queue();
    await cases.add(queueId, 'one', 'two');
    const params = { queue_id: queueId };
    const { body } = await runs.call(clearQueueCases, { params });
    expect(body).toEqual(deletedWith(2));
    const { body: left } = await runs.call(getQueue, { params });
    expect(left.queue.case_counts).toEqual({ pending: 0, completed: 0, failed: 0 });
  });

  it('an agent has one trigger, on a queue of its team', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['finish ok']);
    const params = { agent_id: agentId };
    const foreign = { case_queue_id: nobody };
    expect((await runs.call(createCaseTrigger, { params, body: foreign })).status).toBe(404);
    const wanted = { case_queue_id: queueId, enabled: false };
    const unknown = await runs.call(createCaseTrigger, { params: { agent_id: nobody }, body: wanted });
    expect(unknown.status).toBe(404);
    const { body: made } = await runs.call(createCaseTrigger, { params, body: wanted });
    expect(made.case_trigger).toMatchObject({
      id: made.trigger_id,
      agent_id: agentId,
      case_queue_id: queueId,
      enabled: false,
      concurrency: null,
      has_conflict: false,
      conflicting_agents: [],
    });
    const second = await runs.call(createCaseTrigger, { params, body: wanted });
    expect([second.status, second.body.error]).toEqual([409, 'already_exists']);
    const one = { params: { ...params, trigger_id: made.trigger_id } };
    const { body: changed } = await runs.call(updateCaseTrigger, { ...one, body: { concurrency: 7 } });
    expect(changed.case_trigger).toMatchObject({ enabled: false, concurrency: 7 });
    const { body: cleared } = await runs.call(updateCaseTrigger, { ...one, body: { concurrency: null } });
    expect(cleared.case_trigger.concurrency).toBeNull();
    expect((await runs.call(updateCaseTrigger, { ...one, body: foreign })).status).toBe(404);
    expect((await runs.call(getCaseTrigger, one)).body.case_trigger).toEqual(cleared.case_trigger);
    expect((await runs.call(getCaseTrigger, { ...one, teamId: uuidv7() })).status).toBe(404);
    expect((await runs.call(deleteCaseTrigger, one)).body).toEqual({ success: true });
    expect((await runs.call(deleteCaseTrigger, one)).status).toBe(404);
    const of = await runs.call(listAgentCaseTriggers, { params: { agent_id: nobody } });
    expect(of.status).toBe(404);
  });

  it('the triggers of a deleted agent go with it', async () => {
    const queueId = await cases.queue();
    const agentId = await runs.agent(['wait 60000', 'finish late']);
    await cases.trigger(agentId, queueId);
    const [made] = await cases.add(queueId, 'one');
    const { case: taken } = await cases.reach(made!.id, 'in_progress');
    await runs.call(deleteAgent, { params: { agent_id: agentId } });
    await runs.reach(taken.claimed_by_run_id!, 'stopped');
    await cases.reach(made!.id, 'failed');
    await eventually(async () => {
      const rows = await runs.database.query('SELECT 1 FROM runs.case_trigger WHERE agent_id = $1', [
        agentId,
      ]);
      expect(rows).toEqual([]);
    });
  });

  it('shows which agents fill and empty a queue', async () => {
    const queueId = await cases.queue('Fed');
    const producer = await runs.agent([
      `tool add_cases {"queue_id": "${queueId}", "cases": [{"title": "made by an agent"}]}`,
      'finish ok',
    ]);
    const consumer = await runs.agent(['finish ok']);
    const triggerId = await cases.trigger(consumer, queueId, { enabled: false, concurrency: 3 });
    const { id } = await runs.start(producer);
    await runs.reach(id, 'completed');
    // A script goes on after a tool that failed, and the run completes without having filled anything.
    const faults = (await runs.messages(id)).flatMap(({ tool_result: result }) => result?.error ?? []);
    expect(faults).toEqual([]);
    const { body } = await runs.call(listQueueAgents, { params: { queue_id: queueId } });
    expect(body).toEqual({
      queue_name: 'Fed',
      producers: [{ agent_id: producer, name: 'Tester' }],
      consumers: [
        { agent_id: consumer, name: 'Tester', trigger_id: triggerId, enabled: false, concurrency: 3 },
      ],
    });
  });

  it('nobody sees, changes or deletes what is another team’s', async () => {
    const queueId = await cases.queue();
    const [made] = await cases.add(queueId, 'ours');
    const other = { teamId: uuidv7() };
    const params = { queue_id: queueId };
    for (const answer of [
      await runs.call(updateQueue, { ...other, params, body: { name: 'theirs' } }),
      await runs.call(clearQueueCases, { ...other, params }),
      await runs.call(deleteQueue, { ...other, params }),
      await runs.call(bulkDeleteCases, { ...other, params, body: { case_ids: [made!.id] } }),
      await runs.call(getCase, { ...other, params: { case_id: made!.id } }),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await cases.show(made!.id)).case.title).toBe('ours');
  });
});

import {
  bulkDeleteCases,
  bulkUpdateCaseStatus,
  clearQueueCases,
  deleteCase,
  deleteQueue,
  getQueue,
  updateCase,
  updateCaseTrigger,
  type Scope,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { casesClient, counted, type CasesClient } from './cases-under-test.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const few: readonly Scope[] = ['queues:write', 'queues:read', 'runs:write'];
const all: readonly Scope[] = [...few, 'approvals:write'];

describe('cases whose runs wait for an approval', () => {
  let runs: RunsUnderTest;
  let cases: CasesClient;

  beforeAll(async () => {
    runs = await startRuns();
    cases = casesClient(runs);
  });

  afterAll(async () => {
    await runs?.stop();
  });

  /** A queue with a case that is held, and one that nobody works on. */
  async function heldCase() {
    const agentId = await runs.agent(['approve Pay?', 'finish Paid']);
    const queueId = await cases.queue();
    const [held] = await cases.add(queueId, 'held');
    const triggerId = await cases.trigger(agentId, queueId, { concurrency: 1 });
    await cases.reach(held!.id, 'needs_input');
    // A run that waits leaves its place to another.
    const params = { agent_id: agentId, trigger_id: triggerId };
    await runs.call(updateCaseTrigger, { params, body: { enabled: false } });
    const [other] = await cases.add(queueId, 'other');
    return { queueId, held: held!, other: other! };
  }

  const refusal = (caseId: string) => [
    403,
    {
      error: 'insufficient_scope',
      message: `The run of case ${caseId} waits for an approval. Cancelling an approval needs the scope approvals:write.`,
    },
  ];

  it('are neither settled nor deleted by those who may not cancel it', async () => {
    const { held } = await heldCase();
    const params = { case_id: held.id };
    for (const scopes of [few, all]) {
      const answers = [
        await runs.call(updateCase, { params, body: { status: 'completed' }, scopes }),
        await runs.call(deleteCase, { params, scopes }),
      ];
      if (scopes === all) expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      else {
        for (const { status, body } of answers) expect([status, body]).toMatchObject(refusal(held.id));
        expect((await cases.show(held.id)).case.display_status).toBe('needs_input');
      }
    }
  });

  it('are skipped where many are changed', async () => {
    const { queueId, held, other } = await heldCase();
    const params = { queue_id: queueId };
    const body = { case_ids: [held.id, other.id] };
    const settled = await runs.call(bulkUpdateCaseStatus, {
      params,
      body: { ...body, status: 'completed' },
      scopes: few,
    });
    expect(settled.body).toEqual(counted('updated', 1, 1));
    const gone = await runs.call(bulkDeleteCases, { params, body, scopes: few });
    expect(gone.body).toEqual(counted('deleted', 1, 1));
    expect((await cases.show(held.id)).case.display_status).toBe('needs_input');
    const { body: rest } = await runs.call(bulkDeleteCases, { params, body, scopes: all });
    expect(rest).toMatchObject({ deleted_count: 1, interrupted_run_ids: [expect.any(String)] });
  });

  it('keep their queue from being emptied or deleted', async () => {
    const { queueId, held } = await heldCase();
    const params = { queue_id: queueId };
    for (const operation of [clearQueueCases, deleteQueue]) {
      const { status, body } = await runs.call(operation, { params, scopes: few });
      expect([status, body]).toMatchObject(refusal(held.id));
    }
    expect((await runs.call(getQueue, { params, scopes: few })).status).toBe(200);
    expect((await cases.show(held.id)).case.display_status).toBe('needs_input');
    expect((await runs.call(deleteQueue, { params, scopes: all })).status).toBe(200);
  });

  it('are held by what an agent waits for that was called', async () => {
    const payer = await runs.agent(['approve Pay?', 'finish Paid']);
    const call = { agent_id: payer, message: 'Pay' };
    const caller = await runs.agent([`tool call_agent ${JSON.stringify(call)}`, 'finish Done']);
    const queueId = await cases.queue();
    const [held] = await cases.add(queueId, 'held');
    await cases.trigger(caller, queueId);
    await eventually(async () =>
      expect(
        await runs.database.query(
          `SELECT FROM runs.human_request JOIN runs.run ON run.id = run_id WHERE run.agent_id = $1`,
          [payer],
        ),
      ).toHaveLength(1),
    );
    const { status, body } = await runs.call(deleteCase, { params: { case_id: held!.id }, scopes: few });
    expect([status, body]).toMatchObject(refusal(held!.id));
  });
});

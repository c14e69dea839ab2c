import {
  getAgentRun,
  listHumanRequests,
  postRunMessage,
  respondToHumanRequest,
  stopRun,
  type HumanRequest,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('human requests', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  /** A run that waits for a person, and what it has asked. */
  async function asked(
    ...steps: string[]
  ): Promise<{ runId: string; agentId: string; request: HumanRequest }> {
    const agentId = await runs.agent(steps);
    const { id: runId } = await runs.start(agentId, { message: 'go' });
    const { pending_human_request: request } = await runs.reach(runId, 'waiting');
    return { runId, agentId, request: request! };
  }

  const respond = (
    { runId, request }: { runId: string; request: HumanRequest },
    body: object,
    credentialId?: string,
  ) =>
    runs.call(respondToHumanRequest, {
      params: { run_id: runId, request_id: request.id },
      body,
      credentialId,
    });

  it('asks, waits without a worker, is answered, and goes on', async () => {
    const waiting = await asked('ask Which colour? | red | blue', 'finish You said {{answer}}.');
    expect(waiting.request).toMatchObject({
      type: 'question',
      title: 'Which colour?',
      status: 'pending',
      questions: [{ question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] }],
      votes: [],
      response: null,
      required_approvals: 1,
    });
    const [row] = await runs.database.query<{ lease_token: string | null }>(
      'SELECT lease_token FROM runs.run WHERE id = $1',
      [waiting.runId],
    );
    expect(row!.lease_token).toBeNull();
    const { status, body } = await respond(waiting, { answers: { 'Which colour?': 'blue' } });
    expect([status, body.status]).toEqual([200, 'answered']);
    expect(body.human_request.response).toEqual({ answers: { 'Which colour?': 'blue' } });
    const { run } = await runs.reach(waiting.runId, 'completed');
    expect(run.result).toBe('You said blue.');
    expect(await runs.events(waiting.runId)).toEqual([
      'run.message.created',
      'run.started',
      'run.message.created',
      'run.message.created',
      'human_request.created',
      'run.paused',
      'human_request.responded',
      'run.message.created',
      'run.tool_call.completed',
      'run.message.created',
      'run.completed',
    ]);
  });

  it('tells the agent of a denial; the run goes on', async () => {
    const waiting = await asked('approve Send the money', 'finish It was {{answer}}');
    await respond(waiting, { approved: false, comment: 'too much' });
    const { run } = await runs.reach(waiting.runId, 'completed');
    expect(run.result).toBe('It was denied: too much');
  });

  it('refuses an answer of the wrong kind, and names the field', async () => {
    const approval = await asked('approve Send', 'finish Done');
    const question = await asked('ask Why?', 'finish Done');
    const tries: [typeof approval, object, string][] = [
      [approval, {}, 'approved'],
      [approval, { answers: { Why: 'x' } }, 'answers'],
      [approval, { approved: 'yes' }, 'approved'],
      [question, { approved: true }, 'approved'],
      [question, {}, 'answers'],
      [question, { answers: {} }, 'answers.Why?'],
      [question, { answers: { 'Why?': '' } }, 'answers.Why?'],
      [question, { answers: { 'Why?': ['a', 'b'] } }, 'answers.Why?'],
    ];
    for (const [waiting, body, field] of tries) {
      const answer = await respond(waiting, body);
      expect([body, answer.status, answer.body.message]).toEqual([body, 400, expect.stringContaining(field)]);
    }
    expect((await runs.show(approval.runId)).run.status).toBe('waiting');
  });

  it('is settled once', async () => {
    const waiting = await asked('approve Send', 'finish {{answer}}');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => respond(waiting, { approved: true }, uuidv7())),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    await runs.reach(waiting.runId, 'completed');
    const events = await runs.events(waiting.runId);
    expect(events.filter((event) => event === 'human_request.responded')).toHaveLength(1);
    expect((await respond(waiting, { approved: false })).status).toBe(409);
  });

  it('needs as many different people as it says, and one denial denies', async () => {
    const tool = (title: string) =>
      `tool request_approval {"title": "${title}", "required_approvals": 2, "assignee": "finance"}`;
    const two = await asked(tool('Pay'), 'finish {{answer}}');
    const [first, second] = [uuidv7(), uuidv7()];
    const one = await respond(two, { approved: true }, first);
    expect([one.status, one.body.status, one.body.human_request.votes]).toEqual([
      200,
      'pending',
      [expect.objectContaining({ user_id: first, approved: true })],
    ]);
    expect((await respond(two, { approved: true }, first)).status).toBe(409);
    expect((await runs.show(two.runId)).run.status).toBe('waiting');
    expect((await respond(two, { approved: true }, second)).body.status).toBe('answered');
    expect((await runs.reach(two.runId, 'completed')).run.result).toBe('approved');

    const denied = await asked(tool('Pay more'), 'finish {{answer}}');
    await respond(denied, { approved: true }, first);
    await respond(denied, { approved: false }, second);
    expect((await runs.reach(denied.runId, 'completed')).run.result).toBe('denied');
  });

  it('is denied, or fails its run, when the due date has passed', async () => {
    const due = () => new Date(Date.now() + 1_500).toISOString();
    const tool = (more: object) =>
      `tool request_approval ${JSON.stringify({ title: 'Soon', due_at: due(), ...more })}`;
    const denied = await asked(tool({}), 'finish {{answer}}');
    const failed = await asked(tool({ on_timeout: 'fail' }), 'finish never');
    const { run } = await runs.reach(denied.runId, 'completed');
    expect(run.result).toContain('denied');
    expect((await runs.reach(failed.runId, 'failed')).run.error).toMatchObject({
      code: 'human_request_expired',
    });
    const { body } = await runs.call(getAgentRun, {
      params: { agentId: failed.agentId, runId: failed.runId },
    });
    expect(body.human_requests).toMatchObject([{ status: 'expired', response: null }]);
    expect((await respond(denied, { approved: true })).status).toBe(409);
  });

  it('are listed by status, assignee and whether they are overdue, oldest first', async () => {
    const teamId = runs.teamId;
    const list = async (query: Record<string, string>) =>
      (await runs.call(listHumanRequests, { params: { teamId }, query })).body;
    const assignee = `desk-${uuidv7()}`;
    const mine = (title: string) => `tool request_approval {"title": "${title}", "assignee": "${assignee}"}`;
    const first = await asked(mine('First'), 'finish Done');
    const second = await asked(mine('Second'), 'finish Done');
    await respond(second, { approved: true });
    const all = await list({ assignee });
    expect(all.human_requests.map(({ title, status }) => [title, status])).toEqual([
      ['First', 'pending'],
      ['Second', 'answered'],
    ]);
    expect(all).toMatchObject({ total: 2, limit: 100, offset: 0 });
    expect((await list({ assignee, status: 'pending' })).human_requests).toHaveLength(1);
    expect((await list({ assignee, overdue: 'true' })).total).toBe(0);
    // As if its time had come, and nobody had noticed yet.
    await runs.database.query(`UPDATE runs.human_request SET due_at = now() WHERE id = $1`, [
      first.request.id,
    ]);
    await eventually(async () => expect((await list({ assignee, status: 'expired' })).total).toBe(1));
    const others = await runs.call(listHumanRequests, { params: { teamId }, teamId: uuidv7() });
    expect(others.body.total).toBe(0);
  });

  it('is cancelled by a message, which the agent sees instead', async () => {
    const waiting = await asked('ask Which?', 'finish {{message}} / {{answer}}');
    const { status, body } = await runs.call(postRunMessage, {
      params: { run_id: waiting.runId },
      body: { message: 'Forget it' },
    });
    expect([status, body.status]).toEqual([201, 'running']);
    const { run } = await runs.reach(waiting.runId, 'completed');
    expect(run.result).toContain('Forget it');
    expect((await respond(waiting, { answers: { 'Which?': 'this' } })).status).toBe(409);
    const events = await runs.events(waiting.runId);
    expect(events.filter((event) => event === 'human_request.responded')).toHaveLength(1);
  });

  it('that is an approval outlives a message, which the agent sees after the decision', async () => {
    const waiting = await asked('approve Pay the invoice?', 'finish {{message}} / {{answer}}');
    const posted = await runs.call(postRunMessage, {
      params: { run_id: waiting.runId },
      body: { message: 'Approved by finance, go on.' },
    });
    expect([posted.status, posted.body.status]).toEqual([201, 'waiting']);
    const { run, pending_human_request: pending } = await runs.show(waiting.runId);
    expect([run.status, pending]).toMatchObject(['waiting', { id: waiting.request.id, status: 'pending' }]);
    expect(await runs.events(waiting.runId)).not.toContain('human_request.responded');
    expect((await respond(waiting, { approved: true })).status).toBe(200);
    const ended = await runs.reach(waiting.runId, 'completed');
    expect(ended.run.result).toContain('Approved by finance, go on.');
  });

  it('that is an approval is cancelled only by those who may give it', async () => {
    const waiting = await asked('approve Pay the invoice?', 'finish Done');
    const stop = (scopes: readonly ('runs:write' | 'approvals:write')[]) =>
      runs.call(stopRun, { params: { run_id: waiting.runId }, scopes });
    const refused = await stop(['runs:write']);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: 'insufficient_scope', message: expect.stringContaining('approvals:write') as string },
    ]);
    expect((await runs.show(waiting.runId)).pending_human_request).toMatchObject({ status: 'pending' });
    expect((await stop(['runs:write', 'approvals:write'])).body).toMatchObject({ status: 'stopped' });
    expect((await stop(['runs:write'])).status).toBe(200);
  });

  it('is cancelled when its run is stopped', async () => {
    const waiting = await asked('ask Which?', 'finish Done');
    const { body } = await runs.call(stopRun, { params: { run_id: waiting.runId } });
    expect(body).toMatchObject({ status: 'stopped', success: true });
    const agentRun = await runs.call(getAgentRun, {
      params: { agentId: waiting.agentId, runId: waiting.runId },
    });
    expect(agentRun.body.human_requests).toMatchObject([{ status: 'cancelled' }]);
  });

  it('is refused by an error result where nobody is in the loop', async () => {
    const agentId = await runs.agent(['ask Which?', 'finish {{answer}}']);
    const { id } = await runs.start(agentId, { human_in_the_loop_enabled: false });
    const { run } = await runs.reach(id, 'completed');
    expect(run.human_in_the_loop_enabled).toBe(false);
    expect(
      (await runs.messages(id)).find(({ type }) => type === 'tool_result')!.tool_result!.error,
    ).toBeDefined();
  });

  it('is found under its own run only', async () => {
    const one = await asked('ask One?', 'finish Done');
    const two = await asked('ask Two?', 'finish Done');
    const swapped = { runId: one.runId, request: two.request };
    expect((await respond(swapped, { answers: { 'Two?': 'x' } })).status).toBe(404);
    const foreign = await runs.call(respondToHumanRequest, {
      params: { run_id: one.runId, request_id: one.request.id },
      body: { answers: { 'One?': 'x' } },
      teamId: uuidv7(),
    });
    expect(foreign.status).toBe(404);
  });
});

import { deleteAgent, getAgent, type Scope } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const few: readonly Scope[] = ['agents:write', 'agents:read', 'runs:write'];
const all: readonly Scope[] = [...few, 'approvals:write'];

describe('an agent whose run waits for an approval', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(async () => {
    await runs?.stop();
  });

  const remove = (agentId: string, scopes: readonly Scope[], key?: string) =>
    runs.call(deleteAgent, { params: { agent_id: agentId }, scopes, key });

  async function waitingAgent(): Promise<{ agentId: string; runId: string }> {
    const agentId = await runs.agent(['approve Pay?', 'finish Paid']);
    const { id: runId } = await runs.start(agentId, { message: 'Pay' });
    await runs.reach(runId, 'waiting');
    return { agentId, runId };
  }

  it('is not deleted by those who may not cancel it', async () => {
    const { agentId, runId } = await waitingAgent();
    const { status, body } = await remove(agentId, few);
    expect([status, body]).toMatchObject([
      403,
      {
        error: 'insufficient_scope',
        message: `A run of agent ${agentId} waits for an approval. Cancelling an approval needs the scope approvals:write.`,
      },
    ]);
    expect((await runs.call(getAgent, { params: { agent_id: agentId } })).status).toBe(200);
    expect((await runs.show(runId)).run.status).toBe('waiting');
    expect((await remove(agentId, all)).status).toBe(200);
    await runs.reach(runId, 'stopped');
  });

  it('is held by what an agent waits for that was called', async () => {
    const payer = await runs.agent(['approve Pay?', 'finish Paid']);
    const call = { agent_id: payer, message: 'Pay' };
    const caller = await runs.agent([`tool call_agent ${JSON.stringify(call)}`, 'finish Done']);
    await runs.start(caller, { message: 'Pay' });
    await eventually(async () =>
      expect(
        await runs.database.query(
          'SELECT FROM runs.human_request JOIN runs.run ON run.id = run_id WHERE run.agent_id = $1',
          [payer],
        ),
      ).toHaveLength(1),
    );
    for (const agentId of [payer, caller]) expect((await remove(agentId, few)).status).toBe(403);
  });

  it('is deleted without that scope if it asks a question or nothing', async () => {
    const asking = await runs.agent(['ask Why?', 'finish Done']);
    const { id: runId } = await runs.start(asking, { message: 'Ask' });
    await runs.reach(runId, 'waiting');
    expect((await remove(asking, few)).status).toBe(200);
    await runs.reach(runId, 'stopped');
  });

  it('is held by no run of another team or another agent', async () => {
    await waitingAgent();
    const agentId = await runs.agent(['finish Done']);
    expect((await remove(agentId, few)).status).toBe(200);
  });

  it('is deleted once, however often the request is repeated', async () => {
    const agentId = await runs.agent(['finish Done']);
    const answers = [await remove(agentId, few, 'delete'), await remove(agentId, few, 'delete')];
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, false],
      [200, true],
    ]);
  });
});

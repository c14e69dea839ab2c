import { deleteRun, getAgentRun, getRun, getRunAsTask, listRuns, startRun, type Run } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import type { RunningService } from '@aos/service';
import { uuidv7 } from 'uuidv7';
import { runsClient, startReplica, startRuns, type RunsUnderTest } from './runs-under-test.js';

const script = ['finish ok'];

describe('numbers of runs', () => {
  let runs: RunsUnderTest;
  let second: RunningService;

  beforeAll(async () => {
    runs = await startRuns();
    second = await startReplica(runs.environment);
  });

  afterAll(async () => {
    await second?.close();
    await runs?.stop();
  });

  const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n);
  const inOrder = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
  const listed = async (agentId: string) => {
    const { body } = await runs.call(listRuns, { query: { agent_id: agentId, limit: '100' } });
    return new Map((body.data as Run[]).map(({ id, run_number: number }) => [id, number]));
  };

  it('count the runs of each agent from 1, and are the same wherever a run is shown', async () => {
    const [one, other] = [await runs.agent(script), await runs.agent(script)];
    const first = await runs.start(one);
    const next = await runs.start(one);
    expect([first.run_number, next.run_number, (await runs.start(other)).run_number]).toEqual([1, 2, 1]);
    const { run } = await runs.reach(next.id, 'completed');
    expect(run).toMatchObject({ run_number: 2, case_queue_item_id: null, postponed_to: null });
    const { body } = await runs.call(getAgentRun, { params: { agentId: one, runId: next.id } });
    expect(body.run.run_number).toBe(2);
    const request = { team_id: runs.teamId, run_id: next.id };
    const task = await runs.running.app.get(ServiceClient).call(getRunAsTask, request);
    expect(task.run.run_number).toBe(2);
    expect(await listed(one)).toEqual(
      new Map([
        [first.id, 1],
        [next.id, 2],
      ]),
    );
  });

  it('are unique and without gaps when replicas start runs of several agents at once', async () => {
    const agents = [await runs.agent(script), await runs.agent(script)];
    const replica = runsClient(second.app.get(ServiceClient), runs.database);
    const started = await Promise.all(
      upTo(120).map(async (n) => {
        const client = n % 2 === 0 ? runs : replica;
        const agentId = agents[n % 3 === 0 ? 0 : 1]!;
        const request = { teamId: runs.teamId, params: { teamId: runs.teamId }, body: { agent_id: agentId } };
        const { body } = await client.call(startRun, request);
        return { agentId, number: body.run.run_number };
      }),
    );
    for (const agentId of agents) {
      const numbers = started.flatMap((run) => (run.agentId === agentId ? [run.number] : []));
      expect(inOrder(numbers)).toEqual(upTo(numbers.length));
    }
  });

  it('are in the answer that is kept for a key, whatever its texts say', async () => {
    const agentId = await runs.agent(script);
    await runs.start(agentId);
    const body = {
      agent_id: agentId,
      message: '"run_number":0,',
      metadata: { run_number: '0', note: '{"run_number":0,"x":1}' },
    };
    const request = { params: { teamId: runs.teamId }, body, key: uuidv7() };
    const first = await runs.call(startRun, request);
    const again = await runs.call(startRun, request);
    expect([again.replayed, again.text]).toEqual([true, first.text]);
    expect(first.body.run).toMatchObject({ run_number: 2, metadata: body.metadata });
    const { body: shown } = await runs.call(getRun, { params: { run_id: first.body.run_id } });
    expect(shown.run.run_number).toBe(2);
  });

  it('are not used again when the run with the last one is deleted', async () => {
    const agentId = await runs.agent(script);
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'completed');
    expect((await runs.call(deleteRun, { params: { run_id: id } })).status).toBe(200);
    expect((await runs.start(agentId)).run_number).toBe(2);
  });
});

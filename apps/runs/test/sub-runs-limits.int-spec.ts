import { listRuns, respondToHumanRequest, type Run } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { eventually } from '@aos/testing';
import { runsClient, startRuns, type RunsClient, type RunsUnderTest } from './runs-under-test.js';
import { linesOf } from './tools-under-test.js';

describe('agents that call agents where only so many runs may work at once', () => {
  let under: RunsUnderTest;

  beforeAll(async () => {
    under = await startRuns();
  });

  afterAll(() => under?.stop());

  /** Another team; `free` allows one run at once, `trial` two. */
  const teamOn = async (plan: 'free' | 'trial'): Promise<RunsClient> => {
    const team = runsClient(under.running.app.get(ServiceClient), under.database);
    await under.database.query('INSERT INTO runs.team_plan VALUES ($1, $2)', [team.teamId, plan]);
    return team;
  };
  const callerOf = (team: RunsClient, agentId: string, before: readonly string[] = []) =>
    team.agent([
      ...before,
      ...linesOf([['call_agent', { agent_id: agentId, message: 'Hi' }]]),
      'finish called',
    ]);
  const all = async (team: RunsClient): Promise<Run[]> =>
    (await team.call(listRuns, { params: { teamId: team.teamId }, query: { limit: '100' } })).body.data;
  const subRun = (team: RunsClient): Promise<Run> =>
    eventually(async () => {
      const found = (await all(team)).find(({ source }) => source === 'agent');
      if (!found) throw new Error('There is no sub-run yet');
      return found;
    });

  it('are answered, though the one that waits holds the only place', async () => {
    const team = await teamOn('free');
    const { id } = await team.start(await callerOf(team, await team.agent(['finish Hello'])));
    expect((await team.reach(id, 'completed')).run.result).toBe('called');
  });

  it('are answered however deep they call', async () => {
    const team = await teamOn('free');
    const middle = await callerOf(team, await team.agent(['finish Hello']));
    const { id } = await team.start(await callerOf(team, middle));
    await team.reach(id, 'completed');
    const runs = await all(team);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('are answered when all places are held by those that wait', async () => {
    const team = await teamOn('trial');
    const caller = await callerOf(team, await team.agent(['finish Hello']), ['wait 500']);
    const runs = [await team.start(caller), await team.start(caller)];
    for (const { id } of runs) await team.reach(id, 'completed');
  });

  it('keep their place meanwhile: another run waits until the first has ended', async () => {
    const team = await teamOn('free');
    const asking = await team.agent(['ask Well?', 'finish {{answer}}']);
    const { id: caller } = await team.start(await callerOf(team, asking));
    const { id: called } = await subRun(team);
    const { pending_human_request: asked } = await team.reach(called, 'waiting');
    const { id: other } = await team.start(await team.agent(['finish at last']));
    expect((await team.show(other)).run).toMatchObject({
      status: 'pending',
      pending_reason: 'concurrency_limit',
    });
    await team.call(respondToHumanRequest, {
      params: { run_id: called, request_id: asked!.id },
      body: { answers: { 'Well?': 'Yes' } },
    });
    const { run: first } = await team.reach(caller, 'completed');
    const { run: second } = await team.reach(other, 'completed');
    expect(Date.parse(second.started_at!)).toBeGreaterThanOrEqual(Date.parse(first.completed_at!));
  });

  it('never hold more places than there are', async () => {
    const team = await teamOn('trial');
    const caller = await callerOf(team, await team.agent(['wait 20', 'finish Hello']));
    const plain = await team.agent(['wait 20', 'finish done']);
    for (let n = 0; n < 6; n += 1) await team.start(n % 2 === 0 ? caller : plain);
    let most = 0;
    await eventually(
      async () => {
        const [row] = await under.database.query<{ held: number; ended: number }>(
          `SELECT count(*) FILTER (WHERE status = 'running' AND parent_run_id IS NULL)::int AS held,
                  count(*) FILTER (WHERE status = 'completed')::int AS ended
             FROM runs.run WHERE team_id = $1`,
          [team.teamId],
        );
        most = Math.max(most, row!.held);
        expect(row!.ended).toBe(9);
      },
      { timeoutMs: 30_000, everyMs: 10 },
    );
    expect(most).toBeLessThanOrEqual(2);
  });
});

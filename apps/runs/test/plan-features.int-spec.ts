import { ServiceClient } from '@aos/messaging';
import { connect, startConnectedRuns, type ConnectedRuns } from './connected-runs.js';
import { runsClient, type RunsClient } from './runs-under-test.js';
import { agentWith, perform } from './tools-under-test.js';

describe('what the plan of a team does not include', () => {
  let runs: ConnectedRuns;

  beforeAll(async () => {
    runs = await startConnectedRuns();
  });

  afterAll(() => runs?.stop());

  /** A team with a plan from its beginning on. */
  const teamWith = async (plan: string): Promise<RunsClient> => {
    const team = runsClient(runs.running.app.get(ServiceClient), runs.database);
    await runs.database.query('INSERT INTO runs.team_plan VALUES ($1, $2)', [team.teamId, plan]);
    return team;
  };

  it('is no tool of its runs, and a call of it is told why', async () => {
    const team = await teamWith('free');
    const { ends } = await perform(team, [['run_code', { code: '1 + 1' }], ['no_such_tool']]);
    expect(ends[0]).toEqual({
      name: 'run_code',
      error: 'The plan of the team does not include running code.',
    });
    expect(ends[1]!.error).toContain('http_request');
    expect(ends[1]!.error).not.toMatch(/run_code|browser/);
  });

  it('is no matter for a team that has it', async () => {
    const team = await teamWith('trial');
    const { ends } = await perform(team, [['run_code', { code: '1 + 1' }]]);
    expect(ends[0]).toMatchObject({ name: 'run_code', result: expect.anything() });
  });

  it('is not reached by naming a tool set', async () => {
    const team = await teamWith('free');
    const { ends } = await perform(team, [['run_code', { code: '1 + 1' }]], { plugins: ['code'] });
    expect(ends[0]!.error).toBe('The plan of the team does not include running code.');
  });

  it('makes a run fail that needs a server of MCP, which was connected before', async () => {
    const team = await teamWith('free');
    const connectionId = await connect(team, 'http://127.0.0.1:8099/mcp');
    const agentId = await agentWith(team, ['finish done'], { connections: [connectionId] });
    const { id } = await team.start(agentId);
    const { run } = await team.reach(id, 'failed');
    expect(run.error).toMatchObject({
      code: 'connection_unavailable',
      message: 'The plan of the team does not include MCP.',
    });
  });
});

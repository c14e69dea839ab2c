import {
  authorizeMcpOAuth,
  checkMcpOAuth,
  createConnection,
  probeMcpServer,
  teamPlanSet,
  type Operation,
} from '@aos/contracts';
import { newEvent } from '@aos/events';
import { eventually, startEventLog } from '@aos/testing';
import {
  startConnections,
  type ConnectionsClient,
  type ConnectionsUnderTest,
} from './connections-under-test.js';

const url = 'https://mcp.example.com/mcp';

describe('connections of a team whose plan does not include MCP', () => {
  let under: ConnectionsUnderTest;
  let team: ConnectionsClient;

  beforeAll(async () => {
    under = await startConnections();
    team = under.anotherTeam();
    const gateway = await startEventLog('gateway', under.environment);
    const { teamId } = team;
    await gateway.record([newEvent({ event: teamPlanSet, teamId, data: { team_id: teamId, plan: 'free' } })]);
    await eventually(async () => {
      const rows = await under.database.query('SELECT 1 FROM connections.team_plan WHERE team_id = $1', [
        teamId,
      ]);
      expect(rows).toHaveLength(1);
    });
    await gateway.stop();
  });

  afterAll(() => under?.stop());

  it.each<[string, Operation, object]>([
    ['made', createConnection, { name: 'Mine', server_url: url }],
    ['consented to', authorizeMcpOAuth, { mcp_server_url: url }],
    ['looked at', checkMcpOAuth, { mcp_server_url: url }],
    ['tried', probeMcpServer, { server_url: url }],
  ])('to servers of MCP cannot be %s', async (_, operation, body) => {
    const answer = await team.call(operation, { body });
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: 'entitlement_exceeded', message: 'The plan of the team does not include MCP.' },
    ]);
  });

  it('to providers can', async () => {
    const body = { name: 'Mine', type: 'native', provider: 'github', api_key: 'ghp' };
    expect((await team.call(createConnection, { body })).status).toBe(201);
  });

  it('of other teams can', async () => {
    const body = { name: 'Mine', server_url: url };
    expect((await under.team.call(createConnection, { body })).status).toBe(201);
  });
});

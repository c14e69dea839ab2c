import { eventually } from '@aos/testing';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';
import { keyWith, legacy, McpAtGateway } from './mcp-client.js';

const limitOfFree = 60;
const limitOfPro = 6_000;
const maxCredentials = 500;

describe('the requests of a team', () => {
  let gateway: GatewayInProcess;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
  });

  afterAll(() => gateway?.stop());

  const read = (team: TeamAtGateway, key: string) => gateway.call(`/v2/teams/${team.id}`, { key });
  const remaining = (headers: Headers) => Number(headers.get('ratelimit-remaining'));

  /** A team for which the limit of the plan holds. */
  async function teamWith(plan: string, limit: number): Promise<TeamAtGateway> {
    const team = await gateway.newTeam();
    const key = gateway.environment['ADMIN_KEY']!;
    await gateway.call(`/v2/teams/${team.id}/plan`, { method: 'PUT', key, body: { plan } });
    await eventually(async () => {
      const { headers } = await read(team, team.key);
      expect(Number(headers.get('ratelimit-limit'))).toBe(limit);
    });
    return team;
  }

  it('are as many as its plan has, however many keys it uses', async () => {
    const team = await teamWith('free', limitOfFree);
    const keys = [team.key, ...(await Promise.all([1, 2].map(() => keyWith(gateway, team, 'team:read'))))];
    const { headers } = await read(team, team.key);
    const left = remaining(headers);
    const statuses: number[] = [];
    for (let request = 0; request < left + 6; request += 1)
      statuses.push((await read(team, keys[request % keys.length]!)).status);
    expect(statuses).toEqual([...Array<number>(left).fill(200), ...Array<number>(6).fill(429)]);
  });

  it('are counted for each message of a batch', async () => {
    const team = await teamWith('pro', limitOfPro);
    const mcp = new McpAtGateway(gateway, team.key);
    const before = remaining((await read(team, team.key)).headers);
    const batch = await mcp.post(Array.from({ length: 50 }, () => legacy('ping')));
    expect([batch.status, remaining(batch.headers)]).toEqual([200, before - 50]);
  });

  it.each([
    ['api-keys', 'api_key', 'hash'],
    ['oauth-clients', 'oauth_client', 'secret_hash'],
  ])('come from a limited number of %s', async (path, table, hash) => {
    const team = await gateway.newTeam();
    const create = () =>
      gateway.call(`/v2/teams/${team.id}/${path}`, {
        method: 'POST',
        key: team.key,
        body: { name: 'One more' },
      });
    const [{ count }] = (await gateway.database.query(
      `SELECT count(*)::int AS count FROM gateway.${table} WHERE team_id = $1`,
      [team.id],
    )) as [{ count: number }];
    // Revoked credentials do not count.
    await gateway.database.query(
      `INSERT INTO gateway.${table} (id, team_id, name, ${hash}, scopes, created_at, revoked_at)
       SELECT gen_random_uuid(), $1, 'Many', gen_random_uuid()::text, '{}', now(),
              CASE WHEN n > $2 THEN now() END
         FROM generate_series(1, $2 + 100) AS n`,
      [team.id, maxCredentials - count - 1],
    );
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ error: 'limit_reached' });
  });
});

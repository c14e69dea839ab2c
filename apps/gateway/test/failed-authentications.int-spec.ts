import { eventually } from '@aos/testing';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';
import { whileLocked } from './while-locked.js';

const failuresAllowed = 5;

describe('past the limit on failed authentications', () => {
  let gateway: GatewayInProcess;
  let other: GatewayInProcess;
  let team: TeamAtGateway;
  let addresses = 0;
  let address: string;

  beforeAll(async () => {
    gateway = await startGatewayInProcess({
      AUTH_FAILURES_PER_MINUTE: String(failuresAllowed),
      TRUST_PROXY: '127.0.0.1',
    });
    other = await gateway.another({ TRUST_PROXY: '1' });
    team = await gateway.newTeam();
  });

  afterAll(async () => {
    await other?.stop();
    await gateway?.stop();
  });

  beforeEach(() => {
    addresses += 1;
    address = `192.0.2.${addresses}`;
  });

  async function status(key: string, { at = gateway, from = address } = {}): Promise<number> {
    const answer = await at.call(`/v2/teams/${team.id}`, { key, headers: { 'x-forwarded-for': from } });
    return answer.status;
  }

  async function exhaust(at = gateway): Promise<void> {
    const statuses: number[] = [];
    for (let count = 0; count <= failuresAllowed; count += 1)
      statuses.push(await status('aos_wrong', { at }));
    expect(statuses).toEqual([...Array.from({ length: failuresAllowed }, () => 401), 429]);
  }

  async function newKey(): Promise<{ id: string; key: string }> {
    const path = `/v2/teams/${team.id}/api-keys`;
    return (await gateway.call<{ api_key: { id: string; key: string } }>(path, { key: team.key, body: {} }))
      .body.api_key;
  }

  it('strangers are refused without a look-up', async () => {
    await exhaust();
    const { key: neverSeen } = await newKey();
    await whileLocked(gateway.database.url, 'gateway.api_key', async () => {
      // Whoever looked would wait for the table.
      for (const key of ['aos_wrong', neverSeen, 'not.a.token']) expect(await status(key)).toBe(429);
    });
    expect(await status(neverSeen, { from: '198.51.100.1' })).toBe(200);
  });

  it('strangers hear which limit they have passed, and how long it holds', async () => {
    await exhaust();
    const { headers } = await gateway.call(`/v2/teams/${team.id}`, {
      key: 'aos_wrong',
      headers: { 'x-forwarded-for': address },
    });
    const told = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
    expect(told).toEqual([String(failuresAllowed), '0', headers.get('retry-after')]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('who was verified before goes on, at any gateway, whatever others behind the proxy do', async () => {
    const { key } = await newKey();
    expect(await status(key, { from: '198.51.100.1' })).toBe(200);
    await exhaust();
    expect(await status('aos_wrong')).toBe(429);
    expect(await status(key)).toBe(200);

    await eventually(async () => expect(await status('aos_wrong', { at: other })).toBe(429));
    expect(await status(key, { at: other })).toBe(200);
  });

  it('who was verified before and is revoked is a stranger', async () => {
    const { id, key } = await newKey();
    expect(await status(key)).toBe(200);
    await exhaust();
    await gateway.call(`/v2/teams/${team.id}/api-keys/${id}`, { method: 'DELETE', key: team.key });
    await eventually(async () => expect(await status(key)).toBe(429));
    await whileLocked(gateway.database.url, 'gateway.api_key', async () => {
      expect(await status(key)).toBe(429);
    });
  });

  it('holds for the secrets of OAuth clients', async () => {
    const path = `/v2/teams/${team.id}/oauth-clients`;
    const make = async () =>
      (
        await gateway.call<{ oauth_client: { client_id: string; client_secret: string } }>(path, {
          key: team.key,
          body: {},
        })
      ).body.oauth_client;
    const tokenStatus = async ({ client_id, client_secret }: Awaited<ReturnType<typeof make>>) => {
      const answer = await fetch(`${gateway.url}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
      });
      await answer.body?.cancel();
      return answer.status;
    };
    const [known, neverSeen] = [await make(), await make()];
    expect(await tokenStatus(known)).toBe(200);
    await exhaust();
    expect(await tokenStatus(known)).toBe(200);
    await whileLocked(gateway.database.url, 'gateway.oauth_client', async () => {
      expect(await tokenStatus(neverSeen)).toBe(429);
    });
  });

  it('a client cannot choose its address: what it wrote itself lies behind the proxy', async () => {
    await exhaust();
    for (const at of [gateway, other]) {
      expect(await status('aos_wrong', { at, from: `203.0.113.9, ${address}` })).toBe(429);
      expect(await status('aos_wrong', { at, from: `${address}, 203.0.113.9` })).toBe(401);
    }
  });
});

import { getTeam } from '@aos/contracts';
import type { ApiAnswer, ApiClient } from '../src/api-client.js';
import { startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newOAuthClient, newTeam, requestToken, type Team } from '../src/team.js';

const failuresAllowed = 20;

describe('limits', () => {
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({
      services: [],
      environment: {
        RATE_LIMIT_PER_MINUTE: '0',
        AUTH_FAILURES_PER_MINUTE: String(failuresAllowed),
        TRUST_PROXY: '1',
      },
    });
    admin = await connectAdmin(stack, { rateLimited: false });
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  function call(address: string, token: string | null): Promise<ApiAnswer> {
    const headers = { 'x-forwarded-for': address };
    return admin.call(getTeam, { token, headers, params: { teamId: team.id } });
  }

  it('0 a minute means no limit and no headers', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => call('192.0.2.1', team.key)));
    // That no answer has a RateLimit header is held by the client.
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('failed authentications are limited by address; a missing header does not count', async () => {
    const address = '192.0.2.2';
    const missing = await Promise.all(Array.from({ length: failuresAllowed * 2 }, () => call(address, null)));
    expect(new Set(missing.map(({ status }) => status))).toEqual(new Set([401]));

    const wrong = await Promise.all(
      Array.from({ length: failuresAllowed * 2 }, () => call(address, 'aos_wrong')),
    );
    const refused = wrong.filter(({ status }) => status === 429);
    expect(wrong.filter(({ status }) => status === 401)).toHaveLength(failuresAllowed);
    expect(refused).toHaveLength(failuresAllowed);
    for (const { headers, body } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(body).toMatchObject({ error: 'rate_limited' });
    }
    expect((await call(address, team.key)).status).toBe(200);
    expect((await call(address, null)).status).toBe(401);
    expect((await call('192.0.2.3', 'aos_wrong')).status).toBe(401);
  });

  it('guesses at client secrets count too', async () => {
    const client = await newOAuthClient(team);
    expect((await requestToken(admin, client)).status).toBe(200);
    const wrong = { ...client, clientSecret: 'wrong' };
    // Without a proxy's word all come from the address of this process.
    const answers = await Promise.all(
      Array.from({ length: failuresAllowed + 5 }, () => requestToken(admin, wrong)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(failuresAllowed);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    // Who was known before goes on; who was not is a stranger, whatever it has in hand.
    expect((await requestToken(admin, client)).status).toBe(200);
    expect((await requestToken(admin, await newOAuthClient(team))).status).toBe(429);
  });
});

import { deleteApiKey, deleteOAuthClient, getTeam, plans, setTeamPlan } from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { ApiAnswer, ApiClient } from '../../src/api-client.js';
import { startStack, type Stack } from '../../src/stack.js';
import {
  connectAdmin,
  newKey,
  newOAuthClient,
  newTeam,
  newToken,
  postForm,
  type Team,
} from '../../src/team.js';

const limit = 50;
/** What the product promises for a credential that was taken back. */
const revokedWithinMs = 1_000;
/** Few enough requests to stay below the limit. */
const pace = { everyMs: 100 };

describe('two gateways', () => {
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({
      gateways: 2,
      services: [],
      environment: { RATE_LIMIT_PER_MINUTE: String(limit) },
    });
    admin = await connectAdmin(stack);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  function use(token: string, gateway: number): Promise<ApiAnswer> {
    return admin.at(stack.urls[gateway]!).call(getTeam, { token, params: { teamId: team.id } });
  }

  it.each([
    [
      'an API key',
      async () => {
        const { id, key } = await newKey(team);
        const params = { teamId: team.id, keyId: id };
        return { token: key, revoke: () => team.client.succeed(deleteApiKey, { params }) };
      },
    ],
    [
      'the client of a token',
      async () => {
        const client = await newOAuthClient(team);
        const params = { teamId: team.id, clientId: client.clientId };
        const token = await newToken(admin, client);
        return { token, revoke: () => team.client.succeed(deleteOAuthClient, { params }) };
      },
    ],
    [
      'a token',
      async () => {
        const { clientId, clientSecret } = await newOAuthClient(team);
        const token = await newToken(admin, { clientId, clientSecret });
        const form = { token, client_id: clientId, client_secret: clientSecret };
        return { token, revoke: () => postForm(admin, '/oauth/revoke', form) };
      },
    ],
  ])('%s that is revoked at one stops working at both', async (_, make) => {
    const { token, revoke } = await make();
    for (const gateway of [0, 1]) expect((await use(token, gateway)).status).toBe(200);
    await revoke();
    const revokedAt = performance.now();
    // By the start of the last request that still passed: a slow machine makes answers late, not requests early.
    const lastPassedAfterMs = async (gateway: number) => {
      let last = 0;
      await eventually(async () => {
        const startedAfterMs = performance.now() - revokedAt;
        const { status } = await use(token, gateway);
        if (status === 200) last = startedAfterMs;
        expect(status).toBe(401);
      }, pace);
      return last;
    };
    for (const ms of await Promise.all([lastPassedAfterMs(0), lastPassedAfterMs(1)])) {
      expect(ms).toBeLessThan(revokedWithinMs);
    }
  });

  it('a token of one is good at the other', async () => {
    const client = await newOAuthClient(team);
    const token = await newToken(admin.at(stack.urls[1]!), client);
    expect((await use(token, 0)).status).toBe(200);
    expect((await use(token, 1)).status).toBe(200);
  });

  it('count the requests of a key together: exactly the limit passes', async () => {
    // The window of a key begins with its first request, so no window ends within the test.
    const { key } = await newKey(team);
    expectExactly(limit, await Promise.all(Array.from({ length: 120 }, (_, index) => use(key, index % 2))));
  });

  it('count the tokens of an OAuth client together', async () => {
    const client = await newOAuthClient(team);
    const tokens = [await newToken(admin, client), await newToken(admin, client)];
    const uses = Array.from({ length: 120 }, (_, index) => use(tokens[index % 2]!, (index >> 1) % 2));
    expectExactly(limit, await Promise.all(uses));
  });

  it('hold a team to the limit of its plan, exactly', async () => {
    const other = await newTeam(admin);
    await admin.succeed(setTeamPlan, { params: { teamId: other.id }, body: { plan: 'free' } });
    // The request that makes another key would count.
    const answers = Array.from({ length: 120 }, (_, index) =>
      admin.at(stack.urls[index % 2]!).call(getTeam, { token: other.key, params: { teamId: other.id } }),
    );
    expectExactly(plans.free.limits.rate_limit_per_minute, await Promise.all(answers));
  });

  it('count each key for itself', async () => {
    const [one, two] = [await newKey(team), await newKey(team)];
    await Promise.all(Array.from({ length: limit + 1 }, (_, index) => use(one.key, index % 2)));
    expect((await use(one.key, 0)).status).toBe(429);
    expect((await use(two.key, 0)).status).toBe(200);
  });
});

function expectExactly(passing: number, answers: readonly ApiAnswer[]): void {
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([passed.length, refused.length]).toEqual([passing, answers.length - passing]);
  const remaining = passed.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: passing }, (_, index) => index));
  for (const { headers, body } of refused) {
    expect(headers).toMatchObject({ 'ratelimit-limit': String(passing), 'ratelimit-remaining': '0' });
    const reset = Number(headers['ratelimit-reset']);
    expect(reset).toBeGreaterThanOrEqual(1);
    expect(reset).toBeLessThanOrEqual(60);
    expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
    expect(body).toMatchObject({ error: 'rate_limited' });
  }
}

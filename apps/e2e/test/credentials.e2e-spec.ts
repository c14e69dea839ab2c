import { createHash } from 'node:crypto';
import {
  createApiKey,
  createOAuthClient,
  createTeam,
  deleteApiKey,
  deleteOAuthClient,
  getTeam,
  listApiKeys,
  listOAuthClients,
  listTeams,
  type Operation,
} from '@aos/contracts';
import type { ApiClient } from '../src/api-client.js';
import { databaseText } from '../src/database-text.js';
import { startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newKey, newOAuthClient, newTeam, newToken, type Team } from '../src/team.js';

interface Listed {
  readonly id: string;
  readonly name: string;
}

describe('teams and their credentials', () => {
  let stack: Stack;
  let admin: ApiClient;

  beforeAll(async () => {
    stack = await startStack({ services: [] });
    admin = await connectAdmin(stack);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function list(client: ApiClient, operation: Operation, plural: string, options: object = {}) {
    const body = await client.succeed<Record<string, unknown>>(operation, options);
    const { total, limit, offset } = body as Record<string, number>;
    return { items: body[plural] as Listed[], total, limit, offset };
  }

  /** Reads a list page by page and holds each page against the whole. */
  async function expectPaging(
    client: ApiClient,
    operation: Operation,
    plural: string,
    params: Record<string, string>,
  ): Promise<Listed[]> {
    const whole = await list(client, operation, plural, { params });
    expect(whole).toMatchObject({ total: whole.items.length, limit: 100, offset: 0 });
    const pages: Listed[] = [];
    for (let offset = 0; offset < whole.items.length; offset += 2) {
      const query = { limit: '2', offset: String(offset) };
      const page = await list(client, operation, plural, { params, query });
      expect(page).toMatchObject({ total: whole.items.length, limit: 2, offset });
      pages.push(...page.items);
    }
    expect(pages).toEqual(whole.items);
    const past = await list(client, operation, plural, {
      params,
      query: { offset: String(whole.items.length) },
    });
    expect(past).toMatchObject({ items: [], total: whole.items.length });
    return whole.items;
  }

  describe('a team', () => {
    it('comes with a key that holds every scope and never ends', async () => {
      const body = await admin.succeed<{ team: Listed; api_key: object }>(createTeam, {
        body: { name: ' Acme ' },
      });
      expect(body).toMatchObject({
        team: { name: 'Acme', plan: 'self_hosted' },
        api_key: { scopes: ['*'], expires_at: null, key: expect.stringMatching(/^aos_[\w-]{43}$/) },
      });
      const { key } = body.api_key as { key: string };
      const read = await admin.as(key).succeed(getTeam, { params: { teamId: body.team.id } });
      expect(read).toEqual({ team_id: body.team.id, team: body.team });
    });

    it('is listed to the administrator among all, to itself alone', async () => {
      const team = await newTeam(admin, 'Listed');
      const all = await expectPaging(admin, listTeams, 'teams', {});
      expect(all.map(({ id }) => id)).toContain(team.id);
      expect(all.length).toBeGreaterThan(1);
      const own = await expectPaging(team.client, listTeams, 'teams', {});
      expect(own.map(({ id }) => id)).toEqual([team.id]);
    });
  });

  describe.each([
    {
      thing: 'API key',
      create: createApiKey,
      listing: listApiKeys,
      remove: deleteApiKey,
      plural: 'api_keys',
      idName: 'keyId',
      atFirst: 1,
      make: async (team: Team, name: string) => (await newKey(team, { name })).id,
    },
    {
      thing: 'OAuth client',
      create: createOAuthClient,
      listing: listOAuthClients,
      remove: deleteOAuthClient,
      plural: 'oauth_clients',
      idName: 'clientId',
      atFirst: 0,
      make: async (team: Team, name: string) => (await newOAuthClient(team, { name })).clientId,
    },
  ])('an $thing', ({ create, listing, remove, plural, idName, atFirst, make }) => {
    it('is made, listed in pages with an exact total, and removed once', async () => {
      const team = await newTeam(admin);
      const other = await newTeam(admin);
      await make(other, 'of another team');
      const params = { teamId: team.id };
      const names = ['a', 'b', 'c', 'd', 'e'];
      const ids: string[] = [];
      for (const name of names) ids.push(await make(team, name));
      const made = await expectPaging(team.client, listing, plural, params);
      expect(made.slice(atFirst).map(({ id, name }) => [id, name])).toEqual(
        ids.map((id, index) => [id, names[index]]),
      );

      const gone = { params: { ...params, [idName]: ids[2]! } };
      expect(await team.client.succeed(remove, gone)).toEqual({ success: true });
      const left = await expectPaging(team.client, listing, plural, params);
      expect(left.slice(atFirst).map(({ name }) => name)).toEqual(['a', 'b', 'd', 'e']);
      expect((await team.client.call(remove, gone)).status).toBe(404);
    });

    it('has the scopes of its maker unless it is given fewer, and never more', async () => {
      const team = await newTeam(admin);
      const params = { teamId: team.id };
      const { key } = await newKey(team, { scopes: ['team:admin', 'runs:read'] });
      const maker = team.client.as(key);
      const scopesOf = (body: object) =>
        ((Object.values(body).find((value) => typeof value === 'object') as { scopes: string[] }) ?? {})
          .scopes;

      expect(scopesOf(await maker.succeed(create, { params }))).toEqual(['team:admin', 'runs:read']);
      const fewer = { params, body: { scopes: ['runs:read'] } };
      expect(scopesOf(await maker.succeed(create, fewer))).toEqual(['runs:read']);
      for (const scopes of [['runs:write'], ['*'], ['runs:read', 'agents:read']]) {
        const refused = await maker.call(create, { params, body: { scopes } });
        expect([refused.status, refused.body]).toEqual([
          403,
          { error: 'insufficient_scope', message: expect.stringContaining(scopes.at(-1)!) },
        ]);
      }
      for (const scopes of [[], ['runs:read', 'runs:read'], ['no:scope'], 'runs:read']) {
        const refused = await maker.call(create, { params, body: { scopes } });
        expect([refused.status, refused.body]).toEqual([
          400,
          { error: 'invalid_request', message: expect.stringContaining('scopes') },
        ]);
      }
    });
  });

  it('a key ends when it was told to, in UTC, and not in the past', async () => {
    const team = await newTeam(admin);
    const params = { teamId: team.id };
    const issued = await team.client.succeed(createApiKey, {
      params,
      body: { expires_at: '2099-01-01T00:00:00+02:00' },
    });
    expect(issued).toMatchObject({ api_key: { expires_at: '2098-12-31T22:00:00.000Z' } });
    for (const expires_at of ['2001-01-01T00:00:00Z', '2099-01-01', '9999-12-31T23:59:59-01:00']) {
      const refused = await team.client.call(createApiKey, { params, body: { expires_at } });
      expect([refused.status, refused.body]).toEqual([
        400,
        { error: 'invalid_request', message: expect.stringMatching(/^expires_at: /) },
      ]);
    }
  });

  it('secrets are shown once; the database holds only their hashes', async () => {
    const team = await newTeam(admin);
    const key = await newKey(team);
    const client = await newOAuthClient(team);
    const token = await newToken(admin, client);
    const params = { teamId: team.id };
    const keptAnswer = { params, headers: { 'idempotency-key': 'kept' } };
    const kept = await team.client.succeed<{ api_key: { key: string } }>(createApiKey, keptAnswer);
    const keptClient = await team.client.succeed<{ oauth_client: { client_secret: string } }>(
      createOAuthClient,
      keptAnswer,
    );

    const secrets = [
      team.key,
      key.key,
      client.clientSecret,
      token,
      kept.api_key.key,
      keptClient.oauth_client.client_secret,
    ];
    const stored = await databaseText(stack.database, 'gateway');
    const shown = [
      await team.client.succeed(listApiKeys, { params }),
      await team.client.succeed(listOAuthClients, { params }),
    ].map((body) => JSON.stringify(body));
    for (const secret of secrets) {
      for (const text of [stored, ...shown]) expect(text).not.toContain(secret);
    }
    for (const secret of secrets.filter((value) => value !== token)) {
      expect(stored).toContain(createHash('sha256').update(secret).digest('hex'));
    }
    expect(stored).toContain('"operation_id":"createApiKey"');
    // The private half of the signing key is sealed: its JWK member names are nowhere to be read.
    expect(stored).toContain('sealed_private_jwk');
    expect(stored).not.toMatch(/\\?"d\\?":/);
  });
});

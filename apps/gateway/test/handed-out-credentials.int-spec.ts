import type { GrantedScope } from '@aos/contracts';
import {
  startGatewayInProcess,
  type CallAnswer,
  type GatewayInProcess,
  type TeamAtGateway,
} from './gateway-in-process.js';

interface Wanted {
  readonly name?: string;
  readonly scopes?: readonly GrantedScope[];
  readonly expires_at?: string | null;
}

interface IssuedKey {
  readonly key: string;
  readonly scopes: readonly GrantedScope[];
  readonly expires_at: string | null;
}

interface IssuedClient {
  readonly client_id: string;
  readonly client_secret: string;
}

type Answer<Issued> = CallAnswer<Issued & { readonly error?: string; readonly message?: string }>;

describe('credentials that make credentials', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
  });

  afterAll(async () => {
    await gateway?.stop();
  });

  beforeEach(async () => {
    team = await gateway.newTeam();
  });

  const keyed = (idempotencyKey?: string): Record<string, string> =>
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };

  function makeKey(
    key: string,
    body: Wanted,
    idempotencyKey?: string,
  ): Promise<Answer<{ api_key: IssuedKey }>> {
    const path = `/v2/teams/${team.id}/api-keys`;
    return gateway.call(path, { key, body, headers: keyed(idempotencyKey) });
  }

  function makeClient(
    key: string,
    body: Wanted,
    idempotencyKey?: string,
  ): Promise<Answer<{ oauth_client: IssuedClient }>> {
    const path = `/v2/teams/${team.id}/oauth-clients`;
    return gateway.call(path, { key, body, headers: keyed(idempotencyKey) });
  }

  async function newKey(wanted: Wanted): Promise<string> {
    return (await makeKey(team.key, wanted)).body.api_key.key;
  }

  async function newClient(wanted: Wanted = {}): Promise<IssuedClient> {
    return (await makeClient(team.key, wanted)).body.oauth_client;
  }

  async function newToken({ client_id, client_secret }: IssuedClient, scope: string): Promise<string> {
    const answer = await fetch(`${gateway.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  describe('the replay of an answer that holds a secret', () => {
    it.each([
      ['a key', makeKey],
      ['an OAuth client', makeClient],
    ])('%s is for the credential that asked for it', async (_, make) => {
      const request = { name: 'deploy', scopes: ['*'] } as const;
      const made = await make(team.key, request, 'deploy-1');
      expect(made.status).toBe(201);
      const narrow = await newKey({ scopes: ['team:admin'] });
      expect((await make(narrow, request)).status).toBe(403);

      const repeated = await make(narrow, request, 'deploy-1');

      expect([repeated.status, repeated.body.error]).toEqual([403, 'insufficient_scope']);
      const again = await make(team.key, request, 'deploy-1');
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(made.body);
    });

    it('needs the scopes that were granted, also of a token of the same client', async () => {
      const client = await newClient();
      const [whole, narrow] = [await newToken(client, '*'), await newToken(client, 'team:admin')];
      for (const [index, request] of [{ scopes: ['*'] as const }, {}].entries()) {
        const made = await makeKey(whole, request, `deploy-${index}`);
        expect([made.status, made.body.api_key.scopes]).toEqual([201, ['*']]);

        const repeated = await makeKey(narrow, request, `deploy-${index}`);

        expect([repeated.status, repeated.body.error]).toEqual([403, 'insufficient_scope']);
        expect((await makeKey(whole, request, `deploy-${index}`)).body).toEqual(made.body);
      }
    });

    it('two credentials with one Idempotency-Key each get their own', async () => {
      const other = await newKey({});
      const answers = [await makeKey(team.key, {}, 'same'), await makeKey(other, {}, 'same')];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(new Set(answers.map(({ body }) => body.api_key.key)).size).toBe(2);
    });
  });

  describe('a credential that ends', () => {
    const [soon, later] = ['2098-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];

    it.each([
      ['without a word takes the end of its maker', undefined, soon],
      ['with null likewise', null, soon],
      ['may end earlier', '2097-01-01T00:00:00.000Z', '2097-01-01T00:00:00.000Z'],
      ['may end with it', soon, soon],
    ])('makes a key that %s', async (_, wanted, expected) => {
      const made = await makeKey(await newKey({ expires_at: soon }), { expires_at: wanted });
      expect([made.status, made.body.api_key.expires_at]).toEqual([201, expected]);
    });

    it('makes none that lives longer, nor does one that it made', async () => {
      const maker = await newKey({ expires_at: soon });
      const { api_key: child } = (await makeKey(maker, {})).body;
      for (const key of [maker, child.key]) {
        const refused = await makeKey(key, { expires_at: later });
        expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
        expect(refused.body.message).toContain(soon);
      }
      expect((await makeKey(team.key, { expires_at: later })).status).toBe(201);
    });

    it('makes no OAuth client, which has no end', async () => {
      const refused = await makeClient(await newKey({ expires_at: soon }), {});
      expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
      expect((await makeClient(team.key, {})).status).toBe(201);
    });

    it('is an access token too: what it makes ends within its hour', async () => {
      const token = await newToken(await newClient(), '*');
      const endsAt = Number((JSON.parse(atob(token.split('.')[1]!)) as { exp: number }).exp) * 1000;
      const made = await makeKey(token, {});
      expect([made.status, Date.parse(made.body.api_key.expires_at!)]).toEqual([201, endsAt]);
      expect((await makeKey(token, { expires_at: later })).status).toBe(403);
      expect((await makeClient(token, {})).status).toBe(403);
    });
  });
});

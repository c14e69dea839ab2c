import { deleteOAuthClient, getTeam, listApiKeys, scopes } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import type { ApiAnswer, ApiClient } from '../src/api-client.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import {
  connectAdmin,
  newKey,
  newOAuthClient,
  newTeam,
  newToken,
  postForm,
  requestToken,
  type OAuthClient,
  type Team,
} from '../src/team.js';

const grant = { grant_type: 'client_credentials' };

describe('OAuth client credentials', () => {
  let product: ConnectedProduct;
  let base: string;
  let admin: ApiClient;
  let team: Team;
  let client: OAuthClient;

  beforeAll(async () => {
    product = await connectToProduct();
    base = product.urls[0]!;
    admin = await connectAdmin(product);
    team = await newTeam(admin);
    client = await newOAuthClient(team, { scopes: ['team:read', 'team:admin'] });
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  const byPost = ({ clientId, clientSecret }: OAuthClient) => ({
    client_id: clientId,
    client_secret: clientSecret,
  });

  function use(token: string): Promise<ApiAnswer> {
    return admin.call(getTeam, { token, params: { teamId: team.id } });
  }

  it('a token comes by client_secret_basic and by client_secret_post, and works', async () => {
    const answers = [
      await requestToken(admin, client),
      await postForm(admin, '/oauth/token', { ...grant, ...byPost(client) }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
      expect(answer.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'team:read team:admin',
      });
      expect((await use((answer.body as { access_token: string }).access_token)).status).toBe(200);
    }
  });

  it('the published keys verify it, and hold no private part', async () => {
    const token = await newToken(admin, client);
    const { body } = await admin.request('GET', '/oauth/jwks', { token: null });
    const jwks = body as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      issuer: base,
      audience: base,
    });
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: jwks.keys[0]!.kid });
    expect(payload).toMatchObject({
      sub: client.clientId,
      client_id: client.clientId,
      team_id: team.id,
      scope: 'team:read team:admin',
    });
    expect(payload.exp! - payload.iat!).toBe(3600);
    expect(jwks.keys.flatMap((key) => Object.keys(key))).not.toContain('d');
  });

  it('a token has the scopes asked for, and no operation beyond them', async () => {
    const answer = await requestToken(admin, client, { scope: 'team:read team:read' });
    expect(answer.body).toMatchObject({ scope: 'team:read' });
    const { access_token: token } = answer.body as { access_token: string };
    expect((await use(token)).status).toBe(200);
    const beyond = await admin.call(listApiKeys, { token, params: { teamId: team.id } });
    expect([beyond.status, beyond.body]).toEqual([
      403,
      expect.objectContaining({ error: 'insufficient_scope' }),
    ]);
  });

  it.each([
    ['a wrong secret', (good: OAuthClient) => ({ ...good, clientSecret: `${good.clientSecret}x` })],
    ['no secret', (good: OAuthClient) => ({ ...good, clientSecret: '' })],
    ["the team's key as secret", (good: OAuthClient) => ({ ...good, clientSecret: team.key })],
    ['an unknown client', (good: OAuthClient) => ({ ...good, clientId: crypto.randomUUID() })],
    ['a client id that is none', (good: OAuthClient) => ({ ...good, clientId: "' OR 1=1 --" })],
  ])('%s is 401 invalid_client', async (_, change) => {
    const bad = change(client);
    const basic = await requestToken(admin, bad);
    expect([basic.status, basic.body]).toEqual([401, oauthError('invalid_client')]);
    expect(basic.headers['www-authenticate']).toMatch(/^Basic /);
    const post = await postForm(admin, '/oauth/token', { ...grant, ...byPost(bad) });
    expect([post.status, post.body]).toEqual([401, oauthError('invalid_client')]);
    const revoke = await postForm(admin, '/oauth/revoke', { token: 'x', ...byPost(bad) });
    expect([revoke.status, revoke.body]).toEqual([401, oauthError('invalid_client')]);
  });

  it.each([
    ['Basic', 'Basic'],
    ['Basic without a colon', `Basic ${Buffer.from('nothing').toString('base64')}`],
    ['Basic that is no base64', 'Basic ***'],
    ['Basic with bad percent signs', `Basic ${Buffer.from('%zz:%zz').toString('base64')}`],
    ['Bearer', 'Bearer x'],
  ])('an Authorization of %s is 401 invalid_client', async (_, authorization) => {
    const answer = await postForm(admin, '/oauth/token', grant, { authorization });
    expect([answer.status, answer.body]).toEqual([401, oauthError('invalid_client')]);
  });

  it.each([
    [{}, 'invalid_request'],
    [{ grant_type: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code: 'x' }, 'unsupported_grant_type'],
    [{ ...grant, scope: 'no:scope' }, 'invalid_scope'],
    [{ ...grant, scope: 'runs:read' }, 'invalid_scope'],
    [{ ...grant, scope: '*' }, 'invalid_scope'],
    [{ ...grant, scope: 'team:read runs:read' }, 'invalid_scope'],
    [{ ...grant, scope: ' ' }, 'invalid_scope'],
  ])('%j is 400 %s', async (form, error) => {
    const answer = await postForm(admin, '/oauth/token', { ...byPost(client), ...form });
    expect([answer.status, answer.body]).toEqual([400, oauthError(error)]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('an empty scope counts as none, a parameter given twice or a body of another type is refused', async () => {
    expect((await requestToken(admin, client, { scope: '' })).body).toMatchObject({
      scope: 'team:read team:admin',
    });
    const form = new URLSearchParams({ ...grant, ...byPost(client) }).toString();
    const type = 'application/x-www-form-urlencoded';
    const bodies = [
      { rawBody: `${form}&scope=team:read&scope=team:admin`, headers: { 'content-type': type } },
      {
        rawBody: JSON.stringify({ ...grant, ...byPost(client) }),
        headers: { 'content-type': 'application/json' },
      },
      { rawBody: form },
    ];
    for (const options of bodies) {
      const answer = await admin.request('POST', '/oauth/token', { token: null, ...options });
      expect([answer.status, answer.body]).toEqual([400, oauthError('invalid_request')]);
    }
    const huge = { rawBody: `a=${'x'.repeat(70_000)}`, headers: { 'content-type': type } };
    expect((await admin.request('POST', '/oauth/token', { token: null, ...huge })).status).toBe(413);
  });

  it('a token can be taken back by its client, and by no other (RFC 7009)', async () => {
    const other = await newOAuthClient(team);
    const token = await newToken(admin, client);
    const revoke = (by: OAuthClient, form: Record<string, string>) =>
      postForm(admin, '/oauth/revoke', { ...byPost(by), ...form });

    const byOther = await revoke(other, { token });
    expect([byOther.status, byOther.text]).toEqual([200, '']);
    // What another client may not do has not happened, also once no gateway remembers the token.
    await eventually(async () => expect((await use(token)).status).toBe(200));
    const rows = await product.database.query('SELECT 1 FROM gateway.revoked_token WHERE jti = $1', [
      decodeJwt(token).jti,
    ]);
    expect(rows).toEqual([]);

    const own = await revoke(client, { token, token_type_hint: 'access_token' });
    expect([own.status, own.text]).toEqual([200, '']);
    await eventually(async () => expect((await use(token)).status).toBe(401));
    expect((await revoke(client, { token })).status).toBe(200);
    expect((await revoke(client, { token: 'unknown' })).status).toBe(200);
    const key = await newKey(team);
    expect((await revoke(client, { token: key.key })).status).toBe(200);
    expect((await use(key.key)).status).toBe(200);
    const missing = await revoke(client, {});
    expect([missing.status, missing.body]).toEqual([400, oauthError('invalid_request')]);
  });

  it('a deleted client gets no token', async () => {
    const gone = await newOAuthClient(team);
    await team.client.succeed(deleteOAuthClient, { params: { teamId: team.id, clientId: gone.clientId } });
    expect((await requestToken(admin, gone)).status).toBe(401);
  });

  it('tells where everything is (RFC 8414, RFC 9728)', async () => {
    const read = async (path: string) => (await admin.request('GET', path, { token: null })).body;
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: base,
      // Official clients of MCP take no metadata without it; there is nobody to sign in.
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      jwks_uri: `${base}/oauth/jwks`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: [...scopes],
    });
    // RFC 9728, 3.3: the resource is the address whose well-known path this is.
    for (const path of ['', '/v2/mcp']) {
      expect(await read(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
        resource: `${base}${path}`,
        authorization_servers: [base],
        bearer_methods_supported: ['header'],
        scopes_supported: [...scopes],
      });
    }
  });

  it('nobody signs in: there are no accounts of people', async () => {
    const answer = await admin.request('GET', '/oauth/authorize?response_type=code&client_id=x', {
      token: null,
    });
    expect([answer.status, answer.body]).toEqual([400, oauthError('unsupported_response_type')]);
  });

  it('other methods are refused', async () => {
    for (const [method, path, allow] of [
      ['GET', '/oauth/token', 'POST, OPTIONS'],
      ['PUT', '/oauth/revoke', 'POST, OPTIONS'],
      ['POST', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await admin.request(method, path, { token: null });
      expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
    }
  });
});

function oauthError(error: string) {
  return { error, error_description: expect.any(String) };
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { finalizeOAuth, oauthCallback, startNativeOAuth } from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { returnOrigin, startConnections, type ConnectionsUnderTest } from './connections-under-test.js';

describe('OAuth with a provider', () => {
  let under: ConnectionsUnderTest;

  beforeAll(async () => {
    under = await startConnections();
  });

  afterAll(() => under?.stop());

  const withQuery = (query: Record<string, string>) => under.team.call(oauthCallback, { query });

  it('connects a team: consent, callback, a token that the provider knows', async () => {
    const { team, provider } = under;
    const started = await team.start({ name: 'Our Acme' });
    expect(new URL(started.authorization_url).searchParams.get('code_challenge_method')).toBe('S256');
    expect(await team.read(started.connection_id)).toMatchObject({ name: 'Our Acme', status: 'pending' });
    expect(await team.open(started.connection_id)).toMatchObject({ ok: false, obstacle: 'pending' });
    const answer = await team.finish(started);
    expect(answer.body).toMatchObject({ location: null, title: 'Connected' });
    const connection = await team.read(started.connection_id);
    expect(connection).toMatchObject({
      status: 'active',
      type: 'native',
      provider: 'acme',
      auth_method: 'oauth',
      has_oauth_tokens: true,
      server_url: 'https://api.acme.example',
    });
    expect(connection.oauth_scopes.sort()).toEqual(['offline_access', 'openid']);
    const opened = await team.open(connection.id);
    expect(opened).toMatchObject({ ok: true, connection: { hosts: ['api.acme.example'] } });
    expect(await provider.introspect(await team.token(connection.id))).toBeDefined();
    expect(await under.events(connection.id)).toEqual([
      'connection.updated pending',
      'connection.updated active',
    ]);
  });

  it('sends the browser on to where the team said, and tells it how it went', async () => {
    const started = await under.team.start({ return_url: `${returnOrigin}/done?tab=2` });
    const { body } = await under.team.finish(started);
    expect(body).toMatchObject({
      location: `${returnOrigin}/done?tab=2&connection_id=${started.connection_id}&status=active`,
    });
    const denied = await under.team.start({ return_url: `${returnOrigin}/done` });
    const { body: after } = await withQuery({
      state: denied.state,
      error: 'access_denied',
      iss: under.provider.issuer,
    });
    expect(after).toMatchObject({ location: expect.stringContaining('status=error&error=access_denied') });
    expect(await under.team.read(denied.connection_id)).toMatchObject({ status: 'pending' });
  });

  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example/x',
    'javascript:alert(1)',
    '//evil.example',
  ])('sends no browser to %s', async (url) => {
    const answer = await under.team.call(startNativeOAuth, {
      params: { provider: 'acme' },
      body: { return_url: url },
    });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('return_url: ')]);
  });

  it('takes a state once', async () => {
    const started = await under.team.start();
    const redirected = await under.provider.consent(started.authorization_url);
    const query = Object.fromEntries(redirected.searchParams);
    const answers = await Promise.all([withQuery(query), withQuery(query), withQuery(query)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await withQuery(query)).toMatchObject({ status: 400 });
  });

  it('refuses a state that was used, whatever code comes with it', async () => {
    const started = await under.team.start();
    const [first, second] = [
      await under.provider.consent(started.authorization_url),
      await under.provider.consent(started.authorization_url),
    ];
    expect((await withQuery(Object.fromEntries(first.searchParams))).status).toBe(200);
    const before = under.provider.tokenRequests();
    expect(await withQuery(Object.fromEntries(second.searchParams))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('state: ') },
    });
    // The second code was not exchanged.
    expect(under.provider.tokenRequests()).toBe(before);
  });

  it('knows no state that it did not give, or that has ended', async () => {
    const refused = { status: 400, body: { message: expect.stringContaining('state: ') } };
    expect(await withQuery({ state: 'x'.repeat(43), code: 'y' })).toMatchObject(refused);
    const started = await under.team.start();
    await under.database.query(`UPDATE connections.oauth_flow SET expires_at = now() - interval '1 second'`);
    expect(await under.team.finish(started)).toMatchObject(refused);
  });

  it('lets no other team end a flow', async () => {
    const started = await under.team.start();
    const redirected = await under.provider.consent(started.authorization_url);
    const body = { state: started.state, code: redirected.searchParams.get('code')! };
    expect(await under.anotherTeam().call(finalizeOAuth, { body })).toMatchObject({ status: 400 });
    // Which does not use it up.
    expect(await under.team.call(finalizeOAuth, { body })).toMatchObject({
      status: 200,
      body: { id: started.connection_id, status: 'active' },
    });
  });

  it('refuses an answer of another issuer, or of none where there should be one', async () => {
    for (const iss of ['https://evil.example', undefined]) {
      const started = await under.team.start();
      const redirected = await under.provider.consent(started.authorization_url);
      const before = under.provider.tokenRequests();
      if (iss === undefined) redirected.searchParams.delete('iss');
      else redirected.searchParams.set('iss', iss);
      const answer = await withQuery(Object.fromEntries(redirected.searchParams));
      expect(answer.status).toBe(400);
      // The code went nowhere.
      expect(under.provider.tokenRequests()).toBe(before);
      expect(await under.team.read(started.connection_id)).toMatchObject({ status: 'pending' });
    }
  });

  it('refuses the code of another flow', async () => {
    const [one, other] = [await under.team.start(), await under.team.start()];
    const stolen = await under.provider.consent(other.authorization_url);
    const answer = await withQuery({
      state: one.state,
      code: stolen.searchParams.get('code')!,
      iss: under.provider.issuer,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('invalid_grant') },
    });
    expect(await under.team.read(one.connection_id)).toMatchObject({ status: 'pending' });
  });

  it('knows which providers there are, and which are set up', async () => {
    const start = (provider: string) => under.team.call(startNativeOAuth, { params: { provider } });
    expect(await start('nobody')).toMatchObject({ status: 404 });
    expect(await start('google')).toMatchObject({ status: 409, body: { error: 'not_configured' } });
  });

  it('mends only what is the team’s, and of the same provider', async () => {
    const connection = await under.team.connect();
    const again = (id: string, team = under.team) =>
      team.call(startNativeOAuth, { params: { provider: 'acme' }, body: { reconnect_instance_id: id } });
    expect(await again(uuidv7())).toMatchObject({ status: 404 });
    expect(await again(connection.id, under.anotherTeam())).toMatchObject({ status: 404 });
    expect(await again(connection.id)).toMatchObject({ status: 200, body: { connection_id: connection.id } });
  });

  describe('a provider that is not what it seems', () => {
    let hidden: Server;
    let hits = 0;

    beforeAll(async () => {
      hidden = createServer((_request, response) => {
        hits += 1;
        response.end('{}');
      }).listen(0, '127.0.0.2');
      await once(hidden, 'listening');
    });

    afterAll(() => hidden?.close());

    it('is not followed to a private address', async () => {
      const inside = `http://127.0.0.2:${(hidden.address() as AddressInfo).port}/token`;
      const lure = createServer((_request, response) => response.writeHead(307, { location: inside }).end());
      lure.listen(0, '127.0.0.1');
      await once(lure, 'listening');
      const outside = `http://127.0.0.1:${(lure.address() as AddressInfo).port}`;
      const given = { client_id: 'c', client_secret: 's', api_base_url: 'https://api.acme.example' };
      const crooked = await startConnections({
        environment: {
          OAUTH_PROVIDERS: JSON.stringify({
            redirecting: { ...given, authorization_endpoint: outside, token_endpoint: outside },
            private: { ...given, authorization_endpoint: outside, token_endpoint: inside },
            discovered: { ...given, issuer: `http://127.0.0.2:${(hidden.address() as AddressInfo).port}` },
          }),
        },
      });
      try {
        for (const provider of ['redirecting', 'private']) {
          const { state } = await crooked.team.succeed(startNativeOAuth, { params: { provider } });
          const answer = await crooked.team.call(oauthCallback, { query: { state, code: 'c' } });
          expect([provider, answer.status]).toEqual([provider, 400]);
        }
        expect(
          await crooked.team.call(startNativeOAuth, { params: { provider: 'discovered' } }),
        ).toMatchObject({
          status: 400,
        });
        expect(hits).toBe(0);
      } finally {
        await crooked.stop();
        lure.close();
      }
    });
  });
});

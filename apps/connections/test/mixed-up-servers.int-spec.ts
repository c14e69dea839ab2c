import { authorizeMcpOAuth, finalizeOAuth } from '@aos/contracts';
import {
  startAuthorizationServer,
  startProtectedMcpServer,
  type ProtectedMcpServer,
  type TestAuthorizationServer,
} from '@aos/testing';
import { redirectUri, startConnections, type ConnectionsUnderTest } from './connections-under-test.js';

const server = { scopes: ['mcp:tools'], namesIssuer: false };

describe('a hostile authorization server that sends the browser on to an honest one', () => {
  let under: ConnectionsUnderTest;
  let honest: TestAuthorizationServer;
  let hostile: TestAuthorizationServer;
  let honestMcp: ProtectedMcpServer;
  let hostileMcp: ProtectedMcpServer;

  beforeAll(async () => {
    under = await startConnections({ server });
    honest = under.provider;
    hostile = await startAuthorizationServer({ redirectUri, ...server });
    honestMcp = await startProtectedMcpServer(honest);
    hostileMcp = await startProtectedMcpServer(hostile);
  });

  afterAll(async () => {
    await honestMcp?.close();
    await hostileMcp?.close();
    await hostile?.close();
    await under?.stop();
  });

  const begin = (mcp: ProtectedMcpServer) =>
    under.team.succeed(authorizeMcpOAuth, { body: { mcp_server_url: mcp.url } });

  /** The person consents at the honest server, to its own client, with state and challenge of the hostile one's flow. */
  async function mixUp(honestUrl: string) {
    hostile.forward = ({ searchParams: asked }) => {
      const url = new URL(honestUrl);
      for (const name of ['state', 'code_challenge']) url.searchParams.set(name, asked.get(name)!);
      return url;
    };
    const started = await begin(hostileMcp);
    const forwarded = await hostile.consent(started.authorization_url);
    return { started, redirected: await honest.consent(forwarded.href) };
  }

  const asked = () => [honest.tokenRequests(), hostile.tokenRequests()];

  it.each([
    ['that knows a client of its own', async () => (await begin(honestMcp)).authorization_url],
    ['of a provider', async () => (await under.team.start()).authorization_url],
  ])('%s gets no code of it', async (_which, beginHonest) => {
    const { started, redirected } = await mixUp(await beginHonest());
    const before = asked();
    expect(await under.team.finishWith(redirected)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringMatching(/^code: .*another address/) },
    });
    expect(asked()).toEqual(before);
    expect(await under.team.read(started.connection_id)).toMatchObject({ status: 'pending' });
    expect(await under.team.finishWith(redirected)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('already used') },
    });
  });

  it('gets none from a client that says which redirect it took', async () => {
    const { redirected } = await mixUp((await begin(honestMcp)).authorization_url);
    const { origin, pathname, searchParams } = redirected;
    const body = { state: searchParams.get('state'), code: searchParams.get('code') };
    const before = asked();
    expect(
      await under.team.call(finalizeOAuth, { body: { ...body, redirect_uri: origin + pathname } }),
    ).toMatchObject({ status: 400, body: { message: expect.stringContaining('another address') } });
    expect(asked()).toEqual(before);
  });

  it('is the only one that is refused: each consents for itself', async () => {
    hostile.forward = undefined;
    for (const [mcp, by] of [[honestMcp, honest] as const, [hostileMcp, hostile] as const]) {
      const started = await begin(mcp);
      const redirected = await by.consent(started.authorization_url);
      expect(redirected.pathname).toBe(`${new URL(redirectUri).pathname}/${started.connection_id}`);
      await under.team.comeBack(redirected);
      expect(await under.team.read(started.connection_id)).toMatchObject({ status: 'active' });
    }
  });
});

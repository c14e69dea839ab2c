import { authorizeMcpOAuth, getOAuthClientMetadata } from '@aos/contracts';
import { startProtectedMcpServer, type ProtectedMcpServer } from '@aos/testing';
import { startConnections, type ConnectionsUnderTest } from './connections-under-test.js';

const publicUrl = 'https://agents.example.com';
const documentUrl = `${publicUrl}/v2/connections/oauth/client-metadata`;

describe('an authorization server that reads the documents of its clients', () => {
  let under: ConnectionsUnderTest;
  let mcp: ProtectedMcpServer;
  const read: string[] = [];

  beforeAll(async () => {
    // As it would over the internet: there is no such host here.
    const readDocument = async (url: string) => {
      read.push(url);
      return (await under.team.call(getOAuthClientMetadata)).body;
    };
    under = await startConnections({
      server: { scopes: ['mcp:tools'], readDocument },
      environment: { PUBLIC_BASE_URL: publicUrl },
    });
    mcp = await startProtectedMcpServer(under.provider);
  });

  afterAll(async () => {
    await mcp?.close();
    await under?.stop();
  });

  it('knows us by ours: no client is registered, and the token is good', async () => {
    const started = await under.team.succeed(authorizeMcpOAuth, { body: { mcp_server_url: mcp.url } });
    expect(new URL(started.authorization_url).searchParams.get('client_id')).toBe(documentUrl);
    const redirected = await under.provider.consent(started.authorization_url);
    expect(redirected.origin).toBe(publicUrl);
    await under.team.comeBack(redirected);
    expect(await under.team.read(started.connection_id)).toMatchObject({ status: 'active' });
    expect(await under.provider.introspect(await under.team.token(started.connection_id))).toMatchObject({
      audience: mcp.url,
    });
    expect([read, under.provider.registrations()]).toEqual([[documentUrl], 0]);
  });

  it('finds itself in the document, and the only place that codes are sent to', async () => {
    expect((await under.team.call(getOAuthClientMetadata)).body).toMatchObject({
      client_id: documentUrl,
      redirect_uris: [`${publicUrl}/v2/connections/oauth/callback`],
      token_endpoint_auth_method: 'none',
    });
  });
});

import { oauthCallback } from '@aos/contracts';
import { startAuthorizationServer, startProtectedMcpServer } from '@aos/testing';

export const oauthProvider = 'acme';

/** Those whom the service `connections` talks to, as a test sees them. */
export interface OAuthParties {
  readonly issuer: string;
  readonly mcpServerUrl: string;
}

export interface OAuthSurroundings extends OAuthParties {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startOAuthSurroundings(baseUrl: string): Promise<OAuthSurroundings> {
  const authorization = await startAuthorizationServer({
    redirectUri: baseUrl + oauthCallback.path,
    scopes: ['mcp:tools'],
  });
  const mcp = await startProtectedMcpServer(authorization);
  const { issuer, clientId: client_id, clientSecret: client_secret } = authorization;
  const scopes = ['openid', 'offline_access'];
  // The provider has no other API than what it tells of itself.
  const provider = { issuer, client_id, client_secret, scopes, api_base_url: issuer };
  return {
    issuer,
    mcpServerUrl: mcp.url,
    environment: { OAUTH_PROVIDERS: JSON.stringify({ [oauthProvider]: provider }) },
    close: async () => {
      await mcp.close();
      await authorization.close();
    },
  };
}

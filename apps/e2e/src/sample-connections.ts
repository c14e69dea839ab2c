import { createConnection, startNativeOAuth } from '@aos/contracts';
import type { CallOptions } from './api-client.js';
import type { OAuthSurroundings } from './oauth-surroundings.js';
import { oauthProvider } from './oauth-surroundings.js';
import type { Team } from './team.js';

export async function makeConnection({ client, id: teamId }: Team, serverUrl: string): Promise<string> {
  const request = { params: { teamId }, body: { name: 'A server', server_url: serverUrl } };
  return (await client.succeed<{ id: string }>(createConnection, request)).id;
}

/** A consent that a person has given, as the browser brings it back. */
export async function consented(
  { client, id: teamId }: Team,
  oauth: OAuthSurroundings | undefined,
): Promise<Record<string, string>> {
  const params = { teamId, provider: oauthProvider };
  const { authorization_url: url } = await client.succeed<{ authorization_url: string }>(startNativeOAuth, {
    params,
  });
  return Object.fromEntries((await oauth!.authorization.consent(url)).searchParams);
}

export function mcpServer(oauth: OAuthSurroundings | undefined, { id: teamId }: Team): CallOptions {
  return { params: { teamId }, body: { mcp_server_url: oauth!.mcp.url } };
}

import { authorizeMcpOAuth, createConnection, oauthCallback, startNativeOAuth } from '@aos/contracts';
import { callbackRequest, consentInBrowser } from '@aos/testing';
import type { CallOptions } from './api-client.js';
import { oauthProvider, type OAuthParties } from './oauth-surroundings.js';
import type { Team } from './team.js';

export async function makeConnection({ client, id: teamId }: Team, serverUrl: string): Promise<string> {
  const request = { params: { teamId }, body: { name: 'A server', server_url: serverUrl } };
  return (await client.succeed<{ id: string }>(createConnection, request)).id;
}

/** A consent that a person has given, as the browser brings it back. */
export async function consented(
  { client, id: teamId }: Team,
  oauth: OAuthParties | undefined,
): Promise<Record<string, string>> {
  const params = { teamId, provider: oauthProvider };
  const { authorization_url: url } = await client.succeed<{ authorization_url: string }>(startNativeOAuth, {
    params,
  });
  return Object.fromEntries((await consentInBrowser(url, oauth!.issuer)).searchParams);
}

/** The same for an MCP server. */
export async function consentedToMcp(team: Team, oauth: OAuthParties | undefined): Promise<CallOptions> {
  const { authorization_url: url } = await team.client.succeed<{ authorization_url: string }>(
    authorizeMcpOAuth,
    mcpServer(oauth, team),
  );
  return callbackRequest(await consentInBrowser(url, oauth!.issuer)).given;
}

/** Brings the browser back, and presses the button of the page that names the team, which is there if there are several. */
export async function endConsent({ client }: Team, query: Readonly<Record<string, string>>): Promise<void> {
  const { text } = await client.call(oauthCallback, { query, token: null });
  const [, token] = /name="confirmed" value="([^"]+)"/.exec(text) ?? [];
  if (token === undefined) throw new Error(`The callback does not ask: ${text}`);
  await client.succeed(oauthCallback, { query: { ...query, confirmed: token }, token: null });
}

export function mcpServer(oauth: OAuthParties | undefined, { id: teamId }: Team): CallOptions {
  return { params: { teamId }, body: { mcp_server_url: oauth!.mcpServerUrl } };
}

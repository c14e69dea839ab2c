import { createApiKey, createOAuthClient, createTeam, type GrantedScope } from '@aos/contracts';
import { ApiClient, type ApiAnswer } from './api-client.js';
import type { Stack } from './stack.js';

/** A team with its first key, which holds every scope. */
export interface Team {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  readonly client: ApiClient;
}

export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

/** A client of the stack's first gateway with the platform admin key. */
export async function connectAdmin(
  stack: Pick<Stack, 'urls' | 'adminKey'>,
  options: { rateLimited?: boolean } = {},
): Promise<ApiClient> {
  return ApiClient.connect(stack.urls[0]!, { token: stack.adminKey, ...options });
}

export async function newTeam(admin: ApiClient, name = 'Team'): Promise<Team> {
  const { team_id: id, api_key: apiKey } = await admin.succeed<{ team_id: string; api_key: IssuedKey }>(
    createTeam,
    { body: { name } },
  );
  return { id, key: apiKey.key, keyId: apiKey.id, client: admin.as(apiKey.key) };
}

export async function newKey(
  team: Team,
  body: { name?: string; scopes?: readonly GrantedScope[]; expires_at?: string } = {},
): Promise<IssuedKey> {
  const params = { teamId: team.id };
  return (await team.client.succeed<{ api_key: IssuedKey }>(createApiKey, { params, body })).api_key;
}

export async function newOAuthClient(
  team: Team,
  body: { name?: string; scopes?: readonly GrantedScope[] } = {},
): Promise<OAuthClient> {
  const { client_id: clientId, oauth_client: issued } = await team.client.succeed<{
    client_id: string;
    oauth_client: { client_secret: string };
  }>(createOAuthClient, { params: { teamId: team.id }, body });
  return { clientId, clientSecret: issued.client_secret };
}

/** Asks the token endpoint as a client that authenticates by HTTP Basic. */
export async function requestToken(
  api: ApiClient,
  { clientId, clientSecret }: OAuthClient,
  form: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  return postForm(
    api,
    '/oauth/token',
    { grant_type: 'client_credentials', ...form },
    {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
  );
}

export async function newToken(
  api: ApiClient,
  client: OAuthClient,
  form: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await requestToken(api, client, form);
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
  return (answer.body as { access_token: string }).access_token;
}

export function postForm(
  api: ApiClient,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  return api.request('POST', path, {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    rawBody: new URLSearchParams(form).toString(),
  });
}

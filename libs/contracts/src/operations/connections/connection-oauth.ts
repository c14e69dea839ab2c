import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { boundedList, idParams, idSchema, secret, timestampSchema } from '../../schemas/common.js';
import { connectionNameSchema, connectionSchema, serverUrlSchema } from '../../schemas/connections.js';
import { oauthValueSchema } from './connections.js';

const owner = 'connections';
const tag = 'Connections';
const write = 'connections:write';

/** Characters of a scope-token (RFC 6749) without quote and backslash, which no provider uses. */
const scopeNameSchema = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'Invalid scope: only visible ASCII characters');
const oauthScopesSchema = boundedList(scopeNameSchema, { max: 100 });
const returnUrlSchema = z.string().min(1).max(2_048);

/** A consent that has been asked for. A caller with its state can end it, so it is as secret as a password for ten minutes. */
const startedOAuth = z.object({
  authorization_url: secret(z.string()),
  state: secret(z.string()),
  connection_id: idSchema,
  expires_at: timestampSchema,
});

/** Which connection is to be mended; it keeps its id. */
const reconnects = {
  reconnect_connection_id: idSchema.optional(),
  /** Another name of it. */
  reconnect_instance_id: idSchema.optional(),
};

export const startNativeOAuth = defineOperation({
  operationId: 'startNativeOAuth',
  method: 'POST',
  path: '/v2/teams/{teamId}/connections/oauth/native/{provider}/start',
  tag,
  summary: 'Start the OAuth flow with a provider and return its consent URL',
  description:
    'The browser comes back to `/v2/connections/oauth/callback` and is sent on to `return_url`, whose origin the operator must allow. `reconnect_connection_id` mends a connection, which keeps its id.',
  owner,
  scope: write,
  params: z.object({ teamId: idSchema, provider: z.string().min(1).max(100) }),
  body: z.object({
    return_url: returnUrlSchema.optional(),
    name: connectionNameSchema.optional(),
    scopes: oauthScopesSchema.optional(),
    ...reconnects,
  }),
  status: 200,
  idempotency: 'leased',
  response: startedOAuth,
});

export const authorizeMcpOAuth = defineOperation({
  operationId: 'authorizeMcpOAuth',
  method: 'POST',
  path: '/v2/teams/{teamId}/connections/oauth/mcp/start',
  tag,
  summary: 'Start the OAuth flow with an MCP server and return its consent URL',
  description:
    'Finds the authorization server (RFC 9728, RFC 8414), introduces this service by its client id metadata document or by registration (RFC 7591), and asks for a token that is good for this server alone (RFC 8707).',
  owner,
  scope: write,
  params: idParams('teamId'),
  body: z.object({
    mcp_server_url: serverUrlSchema,
    name: connectionNameSchema.optional(),
    return_url: returnUrlSchema.optional(),
    scopes: oauthScopesSchema.optional(),
    ...reconnects,
  }),
  status: 201,
  idempotency: 'leased',
  // The server is asked what it wants, then its authorization server to know us: 8 s each.
  timeoutMs: 20_000,
  response: startedOAuth,
});

export const checkMcpOAuth = defineOperation({
  operationId: 'checkMcpOAuth',
  method: 'POST',
  path: '/v2/connections/oauth/mcp/check',
  tag,
  summary: 'Check whether an MCP server supports OAuth, without storing anything',
  owner,
  scope: 'connections:read',
  body: z.object({ mcp_server_url: serverUrlSchema }),
  status: 200,
  idempotency: 'leased',
  repeatable: true,
  response: z.object({
    supports_oauth: z.boolean(),
    /** Whether a client can register itself there. */
    supports_dcr: z.boolean(),
    authorization_endpoint: z.string().optional(),
    token_endpoint: z.string().optional(),
    scopes: z.array(z.string()).optional(),
    /** Why nothing could be found out, where the server did not answer. */
    error: z.string().optional(),
  }),
});

export const finalizeOAuth = defineOperation({
  operationId: 'finalizeOAuth',
  method: 'POST',
  path: '/v2/connections/oauth/finalize',
  tag,
  summary: 'Complete an OAuth flow whose redirect the client received',
  description: 'A state is good once, for ten minutes, and for the team that began.',
  owner,
  scope: write,
  body: z.object({
    state: oauthValueSchema,
    code: oauthValueSchema,
    /** As the redirect had it (RFC 9207); needed where the authorization server sends it. */
    iss: z.string().min(1).max(2_048).optional(),
    /** The address that the browser came back to, without its query: refused if the consent was asked for another. */
    redirect_uri: z.string().min(1).max(2_048).optional(),
  }),
  status: 200,
  idempotency: 'leased',
  response: connectionSchema,
});

/** The browser after the consent. What it carries says who it is. */
const callback = {
  method: 'GET',
  tag,
  owner,
  scope: write,
  access: 'open',
  query: z.object({
    state: oauthValueSchema,
    code: oauthValueSchema.optional(),
    iss: z.string().max(2_048).optional(),
    error: z.string().max(500).optional(),
    error_description: z.string().max(4_096).optional(),
    /** Sent by the confirmation page. */
    confirmed: oauthValueSchema.optional(),
  }),
  status: 200,
  kind: 'page',
  response: z.object({
    /** The return URL; null shows a result page. */
    location: z.string().nullable(),
    title: z.string(),
    message: z.string(),
    /** The person is asked whether the consent is for this team; the token is the answer. */
    confirm: z.object({ team_id: idSchema, token: secret(z.string()) }).optional(),
  }),
} as const;

export const oauthCallback = defineOperation({
  ...callback,
  operationId: 'oauthCallback',
  path: '/v2/connections/oauth/callback',
  summary: 'Receive the redirect of an OAuth flow',
  description:
    'The one address for providers, whose clients the operator registers, and for authorization servers that read the client id metadata document.',
});

export const oauthCallbackOfConnection = defineOperation({
  ...callback,
  operationId: 'oauthCallbackOfConnection',
  path: '/v2/connections/oauth/callback/{connection_id}',
  summary: 'Receive the redirect of an OAuth flow with an MCP server',
  description:
    'Each connection with an MCP server has an address of its own (RFC 9700, section 4.4): an answer that another authorization server sends is refused.',
  params: idParams('connection_id'),
});

export const getOAuthClientMetadata = defineOperation({
  operationId: 'getOAuthClientMetadata',
  method: 'GET',
  path: '/v2/connections/oauth/client-metadata',
  tag,
  summary: 'Get the client ID metadata document of this service',
  owner,
  scope: 'connections:read',
  access: 'open',
  status: 200,
  response: z.object({
    client_id: z.string(),
    client_name: z.string(),
    client_uri: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
  }),
});

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, listOf, pageQuery, secret } from '../../schemas/common.js';
import {
  serverKeySchema,
  connectionAuthMethodSchema,
  connectionHeadersSchema,
  connectionNameSchema,
  connectionSchema,
  connectionTypeSchema,
  serverUrlSchema,
} from '../../schemas/connections.js';

const owner = 'connections';
const tag = 'Connections';
const read = 'connections:read';
const write = 'connections:write';

export const listConnections = defineOperation({
  operationId: 'listConnections',
  method: 'GET',
  path: '/v2/teams/{teamId}/connections',
  tag,
  summary: 'List the connections of a team',
  owner,
  scope: read,
  params: idParams('teamId'),
  query: z.object({ type: connectionTypeSchema.optional(), ...pageQuery({ default: 20, max: 100 }) }),
  status: 200,
  // Both names have the same list: other platforms call connections integrations.
  response: listOf('connections', connectionSchema).extend({ integrations: z.array(connectionSchema) }),
});

export const createConnection = defineOperation({
  operationId: 'createConnection',
  method: 'POST',
  path: '/v2/teams/{teamId}/connections',
  tag,
  summary: 'Create a connection with headers, an API key, a secret URL or no authentication',
  description:
    'It is stored, not tried out. With `auth_method: oauth` it is pending until a person has consented. `headers` is `{plaintext, secret}`, or an object whose values are all secret. With `auth_method: url` path and query of `server_url` are the credential: they are sealed, and only its origin is shown.',
  owner,
  scope: write,
  params: idParams('teamId'),
  body: z.object({
    name: connectionNameSchema,
    type: connectionTypeSchema.optional(),
    provider: z.string().min(1).max(100).optional(),
    server_url: serverUrlSchema.optional(),
    auth_method: connectionAuthMethodSchema.optional(),
    headers: connectionHeadersSchema.optional(),
    api_key: serverKeySchema.optional(),
  }),
  status: 201,
  idempotency: 'leased',
  response: connectionSchema,
});

export const getConnection = defineOperation({
  operationId: 'getConnection',
  method: 'GET',
  path: '/v2/connections/{connection_id}',
  tag,
  summary: 'Get a connection',
  owner,
  scope: read,
  params: idParams('connection_id'),
  status: 200,
  response: connectionSchema,
});

export const updateConnection = defineOperation({
  operationId: 'updateConnection',
  method: 'PATCH',
  path: '/v2/connections/{connection_id}',
  tag,
  summary: 'Update a connection',
  description:
    'Another `server_url` needs its credentials given again, so that none reaches a server it was not given for. New credentials mend a broken connection.',
  owner,
  scope: write,
  params: idParams('connection_id'),
  body: z.object({
    name: connectionNameSchema.optional(),
    server_url: serverUrlSchema.optional(),
    auth_method: connectionAuthMethodSchema.optional(),
    headers: connectionHeadersSchema.optional(),
    api_key: serverKeySchema.optional(),
  }),
  status: 200,
  idempotency: 'leased',
  response: connectionSchema,
});

export const deleteConnection = defineOperation({
  operationId: 'deleteConnection',
  method: 'DELETE',
  path: '/v2/connections/{connection_id}',
  tag,
  summary: 'Delete a connection and revoke its tokens where the provider supports that',
  owner,
  scope: write,
  params: idParams('connection_id'),
  status: 200,
  idempotency: 'leased',
  response: z.object({ success: z.literal(true), message: z.string() }),
});

export const probeMcpServer = defineOperation({
  operationId: 'probeMcpServer',
  method: 'POST',
  path: '/v2/teams/{teamId}/connections/mcp/probe',
  tag,
  summary: 'List the tools of an MCP server without storing anything',
  description:
    'With `server_url` the server is asked with the credentials given, and nothing is stored. With `connection_id` it is asked with those of the connection, which becomes `broken` if they are refused.',
  owner,
  scope: write,
  params: idParams('teamId'),
  body: z
    .object({
      server_url: serverUrlSchema.optional(),
      connection_id: idSchema.optional(),
      headers: connectionHeadersSchema.optional(),
      api_key: serverKeySchema.optional(),
    })
    .refine((body) => (body.server_url === undefined) !== (body.connection_id === undefined), {
      path: ['server_url'],
      error: 'Give exactly one of server_url and connection_id',
    })
    .refine(
      (body) =>
        body.connection_id === undefined || (body.headers === undefined && body.api_key === undefined),
      { path: ['connection_id'], error: 'A connection has credentials of its own: give no others' },
    ),
  status: 200,
  idempotency: 'leased',
  repeatable: true,
  response: z.object({
    success: z.boolean(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })).optional(),
    error: z.string().optional(),
  }),
});

/** The maximum length of an OAuth state and of a code. */
export const oauthValueSchema = secret(z.string().min(1).max(4_096));

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import {
  idParams,
  idSchema,
  listOf,
  pageQuery,
  secret,
  successSchema,
  timestampSchema,
} from '../../schemas/common.js';
import { grantedScopeSchema, grantedScopesSchema } from './api-keys.js';
import { named } from '../../schemas/named.js';

export const oauthClientSchema = named(
  'OAuthClient',
  z.object({
    id: idSchema,
    client_id: idSchema,
    name: z.string(),
    scopes: z.array(grantedScopeSchema),
    created_at: timestampSchema,
  }),
);

/** With the secret itself, which is shown once. */
const issuedOAuthClientSchema = named(
  'IssuedOAuthClient',
  oauthClientSchema.extend({ client_secret: secret(z.string()) }),
);

export const createOAuthClient = defineOperation({
  operationId: 'createOAuthClient',
  method: 'POST',
  path: '/v2/teams/{teamId}/oauth-clients',
  tag: 'Credentials',
  summary: 'Register an OAuth client for the client credentials grant',
  description:
    'Scopes default to those of the caller and cannot exceed them. A client has no end, so that a credential ' +
    'which has one cannot make it. The secret is shown in this answer only.',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId'),
  body: z.object({
    name: z.string().trim().min(1).max(200).default('OAuth client'),
    scopes: grantedScopesSchema.optional(),
  }),
  status: 201,
  response: z.object({
    client_id: idSchema,
    oauth_client: issuedOAuthClientSchema,
  }),
  disclosesSecret: true,
  handsOut: ({ oauth_client: { scopes } }) => ({ scopes, expiresAt: null }),
});

export const listOAuthClients = defineOperation({
  operationId: 'listOAuthClients',
  method: 'GET',
  path: '/v2/teams/{teamId}/oauth-clients',
  tag: 'Credentials',
  summary: 'List the OAuth clients of a team',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId'),
  query: z.object({ ...pageQuery() }),
  status: 200,
  response: listOf('oauth_clients', oauthClientSchema),
});

export const deleteOAuthClient = defineOperation({
  operationId: 'deleteOAuthClient',
  method: 'DELETE',
  path: '/v2/teams/{teamId}/oauth-clients/{clientId}',
  tag: 'Credentials',
  summary: 'Delete an OAuth client',
  description: 'Its tokens stop working on every gateway within a second.',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId', 'clientId'),
  status: 200,
  response: successSchema,
});

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { grantedScopes } from '../../principals/scopes.js';
import {
  boundedList,
  idParams,
  idSchema,
  listOf,
  pageQuery,
  secret,
  successSchema,
  timestampSchema,
} from '../../schemas/common.js';
import { named } from '../../schemas/named.js';

export const grantedScopeSchema = named('GrantedScope', z.enum(grantedScopes));

export const grantedScopesSchema = boundedList(grantedScopeSchema, {
  min: 1,
  max: grantedScopes.length,
}).refine((list) => new Set(list).size === list.length, 'Invalid input: a scope is named twice');

export const apiKeySchema = named(
  'ApiKey',
  z.object({
    id: idSchema,
    name: z.string(),
    scopes: z.array(grantedScopeSchema),
    expires_at: timestampSchema.nullable(),
    created_at: timestampSchema,
  }),
);

/** With the key itself, which is shown once. */
export const issuedApiKeySchema = named('IssuedApiKey', apiKeySchema.extend({ key: secret(z.string()) }));

export const createApiKey = defineOperation({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/v2/teams/{teamId}/api-keys',
  tag: 'Credentials',
  summary: 'Create an API key',
  description:
    'Scopes and end default to those of the caller and cannot exceed them. The key is shown in this answer only.',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId'),
  body: z.object({
    name: z.string().trim().min(1).max(200).default('API key'),
    scopes: grantedScopesSchema.optional(),
    expires_at: z.iso.datetime({ offset: true }).nullish(),
  }),
  status: 201,
  response: z.object({ api_key_id: idSchema, api_key: issuedApiKeySchema }),
  disclosesSecret: true,
  handsOut: ({ api_key: { scopes, expires_at } }) => ({
    scopes,
    expiresAt: expires_at === null ? null : new Date(expires_at),
  }),
});

export const listApiKeys = defineOperation({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/v2/teams/{teamId}/api-keys',
  tag: 'Credentials',
  summary: 'List the API keys of a team',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId'),
  query: z.object({ ...pageQuery() }),
  status: 200,
  response: listOf('api_keys', apiKeySchema),
});

export const deleteApiKey = defineOperation({
  operationId: 'deleteApiKey',
  method: 'DELETE',
  path: '/v2/teams/{teamId}/api-keys/{keyId}',
  tag: 'Credentials',
  summary: 'Revoke an API key',
  description: 'It stops working on every gateway within a second.',
  owner: 'gateway',
  scope: 'team:admin',
  params: idParams('teamId', 'keyId'),
  status: 200,
  response: successSchema,
});

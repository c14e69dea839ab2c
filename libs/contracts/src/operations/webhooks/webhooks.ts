import { z } from 'zod';
import { eventNameSchema } from '../../events/index.js';
import { defineOperation } from '../../declarations/operation.js';
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
import { webhookSchema, webhookUrlSchema } from '../../schemas/webhooks.js';
import { named } from '../../schemas/named.js';

const owner = 'webhook-dispatcher';
const tag = 'Webhooks';
const scope = 'webhooks:manage';
const maxOverlapSeconds = 86_400;

const oneWebhook = z.object({ subscriptionId: idSchema, webhook: webhookSchema });

const eventNames = boundedList(eventNameSchema, { min: 1, max: 50 }).refine(
  (names) => new Set(names).size === names.length,
  'Each event can be named once',
);

export const listWebhooks = defineOperation({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/v2/teams/{teamId}/webhooks',
  tag,
  summary: 'List the webhooks of a team',
  owner,
  scope,
  params: idParams('teamId'),
  query: z.object(pageQuery()),
  status: 200,
  response: listOf('webhooks', webhookSchema),
});

export const createWebhook = defineOperation({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/v2/teams/{teamId}/webhooks',
  tag,
  summary: 'Create a webhook',
  description:
    'The address must be public, over HTTP or HTTPS. Deliveries are signed with the secret of the team.',
  owner,
  scope,
  params: idParams('teamId'),
  body: z.object({ url: webhookUrlSchema, events: eventNames }),
  status: 201,
  idempotency: 'leased',
  response: oneWebhook,
});

export const getWebhook = defineOperation({
  operationId: 'getWebhook',
  method: 'GET',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}',
  tag,
  summary: 'Get a webhook',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId'),
  status: 200,
  response: oneWebhook,
});

export const updateWebhook = defineOperation({
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}',
  tag,
  summary: 'Update a webhook',
  description:
    'Deliveries that wait go to the new address. What was skipped while it was disabled can be replayed once it is enabled.',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId'),
  body: z.object({
    url: webhookUrlSchema.optional(),
    events: eventNames.optional(),
    enabled: z.boolean().optional(),
  }),
  status: 200,
  idempotency: 'leased',
  response: oneWebhook,
});

export const deleteWebhook = defineOperation({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}',
  tag,
  summary: 'Delete a webhook and drop its waiting deliveries',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId'),
  status: 200,
  response: successSchema,
});

export const testWebhook = defineOperation({
  operationId: 'testWebhook',
  method: 'POST',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/test',
  tag,
  summary: 'Send a signed test event to a webhook and return the outcome',
  description:
    'The first of its events, with `data.test: true`. It is no part of the feed or of the deliveries.',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId'),
  status: 200,
  idempotency: 'leased',
  response: z.object({
    subscriptionId: idSchema,
    /** Whether the receiver answered with a status of 2xx. */
    success: z.boolean(),
    event: z.string(),
    delivery_id: idSchema,
    status_code: z.int().nullable(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    response_body: z.string().nullable(),
  }),
});

const webhookSecretSchema = named(
  'WebhookSecret',
  z.object({
    secret: secret(z.string()),
    created_at: timestampSchema,
    /** Until when deliveries are signed with the secret before this one too. */
    previous_expires_at: timestampSchema.nullable(),
  }),
);

export const getWebhookSecret = defineOperation({
  operationId: 'getWebhookSecret',
  method: 'GET',
  path: '/v2/teams/{teamId}/webhook-secret',
  tag,
  summary: 'Get the signing secret of a team',
  owner,
  scope,
  params: idParams('teamId'),
  status: 200,
  response: webhookSecretSchema,
  disclosesSecret: true,
});

export const rotateWebhookSecret = defineOperation({
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v2/teams/{teamId}/webhook-secret/rotate',
  tag,
  summary: 'Rotate the signing secret of a team',
  description: 'For `overlap_seconds` deliveries carry a signature of the old secret too.',
  owner,
  scope,
  params: idParams('teamId'),
  body: z.object({ overlap_seconds: z.int().min(0).max(maxOverlapSeconds).default(0) }),
  status: 200,
  response: webhookSecretSchema,
  disclosesSecret: true,
});

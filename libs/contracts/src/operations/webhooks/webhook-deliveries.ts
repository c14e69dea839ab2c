import { z } from 'zod';
import { eventEnvelopeSchema } from '../../declarations/event.js';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, listOf, pageQuery, timestampSchema } from '../../schemas/common.js';
import { deliveryAttemptSchema, deliverySchema, deliveryStatusSchema } from '../../schemas/webhooks.js';

const owner = 'webhook-dispatcher';
const scope = 'webhooks:manage';
const tag = 'Webhooks';
const lists = { default: 20, max: 100 };

const oneDelivery = z.object({
  deliveryId: idSchema,
  status: deliveryStatusSchema,
  delivery: deliverySchema,
});

export const listWebhookDeliveries = defineOperation({
  operationId: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/deliveries',
  tag,
  summary: 'List the deliveries to a webhook, newest first',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId'),
  query: z.object({ status: deliveryStatusSchema.optional(), ...pageQuery(lists) }),
  status: 200,
  response: listOf('deliveries', deliverySchema),
});

export const getWebhookDelivery = defineOperation({
  operationId: 'getWebhookDelivery',
  method: 'GET',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/deliveries/{deliveryId}',
  tag,
  summary: 'Get a delivery with its attempts and payload',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId', 'deliveryId'),
  status: 200,
  response: oneDelivery.extend({
    attempts: z.array(deliveryAttemptSchema),
    payload: eventEnvelopeSchema,
  }),
});

export const redeliverWebhook = defineOperation({
  operationId: 'redeliverWebhook',
  method: 'POST',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/deliveries/{deliveryId}/redeliver',
  tag,
  summary: 'Redeliver an event under the same ID, with the whole retry schedule',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId', 'deliveryId'),
  status: 200,
  response: oneDelivery,
});

export const replayWebhooks = defineOperation({
  operationId: 'replayWebhooks',
  method: 'POST',
  path: '/v2/teams/{teamId}/webhooks/{subscriptionId}/replay',
  tag,
  summary: 'Replay the events of a period',
  description:
    'All that this webhook was to be told at or after `since` and before `until`: delivered, dead or skipped; with `only_dead` only what is dead. They are sent in the background.',
  owner,
  scope,
  params: idParams('teamId', 'subscriptionId'),
  body: z.object({
    since: z.iso.datetime({ offset: true }),
    until: z.iso.datetime({ offset: true }).optional(),
    only_dead: z.boolean().default(false),
  }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    subscriptionId: idSchema,
    replay_id: idSchema,
    since: timestampSchema,
    until: timestampSchema,
    only_dead: z.boolean(),
  }),
});

export const listRunDeliveries = defineOperation({
  operationId: 'listRunDeliveries',
  method: 'GET',
  path: '/v2/runs/{run_id}/deliveries',
  tag,
  summary: 'List the deliveries to the callback of a run, newest first',
  owner,
  scope,
  params: idParams('run_id'),
  query: z.object({ status: deliveryStatusSchema.optional(), ...pageQuery(lists) }),
  status: 200,
  response: listOf('deliveries', deliverySchema),
});

export const redeliverRunDelivery = defineOperation({
  operationId: 'redeliverRunDelivery',
  method: 'POST',
  path: '/v2/runs/{run_id}/deliveries/{deliveryId}/redeliver',
  tag,
  summary: 'Redeliver an event to the callback of a run',
  owner,
  scope,
  params: idParams('run_id', 'deliveryId'),
  status: 200,
  response: oneDelivery,
});

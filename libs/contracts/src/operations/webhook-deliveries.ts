import { z } from 'zod';
import { eventEnvelopeSchema } from '../event.js';
import { eventNameSchema } from '../events/index.js';
import { defineOperation } from '../operation.js';
import {
  idParams,
  idSchema,
  listOf,
  pageQuery,
  queryInteger,
  queryList,
  timestampSchema,
} from '../schemas/common.js';
import { deliveryAttemptSchema, deliverySchema, deliveryStatusSchema } from '../schemas/webhooks.js';

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
  summary: 'Read a delivery with all its attempts and what was sent',
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
  summary: 'Send a delivery again, with its id, from the first try on',
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
  summary: 'Send the events of a time again',
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
  summary: 'Send a delivery to the callback of a run again',
  owner,
  scope,
  params: idParams('run_id', 'deliveryId'),
  status: 200,
  response: oneDelivery,
});

export const listEvents = defineOperation({
  operationId: 'listEvents',
  method: 'GET',
  path: '/v2/teams/{teamId}/events',
  tag: 'Events',
  summary: 'Read the events of a team in order, from a cursor on',
  description:
    'For receivers that cannot be reached. Keep `next_cursor` and ask with it again: nothing is skipped or repeated. Events are kept for 30 days.',
  owner,
  scope,
  params: idParams('teamId'),
  query: z.object({
    /** `next_cursor` of the page before; without it, from the oldest event that is kept. */
    after: queryInteger({ default: 0 }),
    types: queryList(eventNameSchema),
    limit: queryInteger({ min: 1, max: 1_000, default: 100 }),
  }),
  status: 200,
  response: z.object({
    events: z.array(eventEnvelopeSchema),
    next_cursor: z.string(),
    has_more: z.boolean(),
  }),
});

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, listOf, pageQuery, successSchema } from '../../schemas/common.js';
import { queueSchema } from '../../schemas/cases.js';

const owner = 'runs';
const tag = 'Queues';
const ofTeam = '/v2/teams/{teamId}/queues';
const one = '/v2/queues/{queue_id}';

const name = z.string().min(1).max(100);
const description = z.string().max(2_000);
const oneQueue = z.object({ queue_id: idSchema, queue: queueSchema });

export const deletedCasesSchema = successSchema.extend({
  deleted_case_count: z.int(),
  interrupted_run_ids: z.array(idSchema),
  deletedCount: z.int(),
  interruptedRunIds: z.array(idSchema),
});

export const listQueues = defineOperation({
  operationId: 'listQueues',
  method: 'GET',
  path: ofTeam,
  tag,
  summary: 'List the queues of a team, by name',
  owner,
  scope: 'queues:read',
  params: idParams('teamId'),
  query: z.object(pageQuery({ default: 250, max: 250 })),
  status: 200,
  response: listOf('queues', queueSchema),
});

export const createQueue = defineOperation({
  operationId: 'createQueue',
  method: 'POST',
  path: ofTeam,
  tag,
  summary: 'Create a queue',
  description: 'No two queues of a team have the same name.',
  owner,
  scope: 'queues:write',
  params: idParams('teamId'),
  body: z.object({ name, description: description.nullish() }),
  status: 201,
  response: oneQueue,
});

export const getQueue = defineOperation({
  operationId: 'getQueue',
  method: 'GET',
  path: one,
  tag,
  summary: 'Get a queue',
  owner,
  scope: 'queues:read',
  params: idParams('queue_id'),
  status: 200,
  response: oneQueue,
});

export const updateQueue = defineOperation({
  operationId: 'updateQueue',
  method: 'PATCH',
  path: one,
  tag,
  summary: 'Update a queue',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id'),
  body: z.object({ name: name.optional(), description: description.nullish() }),
  status: 200,
  response: oneQueue,
});

export const deleteQueue = defineOperation({
  operationId: 'deleteQueue',
  method: 'DELETE',
  path: one,
  tag,
  summary: 'Delete a queue with its cases',
  description: 'Runs that work on its cases are stopped, and triggers on it are deleted.',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id'),
  status: 200,
  idempotency: 'batched',
  timeoutMs: 120_000,
  response: deletedCasesSchema,
});

const queueAgent = z.object({ agent_id: idSchema, name: z.string() });

export const listQueueAgents = defineOperation({
  operationId: 'listQueueAgents',
  method: 'GET',
  path: `${one}/agents`,
  tag,
  summary: 'List the agents that produce or work on the cases of a queue',
  owner,
  scope: 'queues:read',
  params: idParams('queue_id'),
  status: 200,
  response: z.object({
    queue_name: z.string(),
    producers: z.array(queueAgent),
    consumers: z.array(
      queueAgent.extend({ trigger_id: idSchema, enabled: z.boolean(), concurrency: z.int().nullable() }),
    ),
  }),
});

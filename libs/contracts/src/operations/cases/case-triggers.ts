import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, listOf, pageQuery, successSchema } from '../../schemas/common.js';
import { caseTriggerSchema } from '../../schemas/cases.js';

const owner = 'runs';
const tag = 'Case triggers';
const ofAgent = '/v2/agents/{agent_id}/case-triggers';
const one = `${ofAgent}/{trigger_id}`;

const concurrency = z.int().min(1).max(1_000);
const oneTrigger = z.object({ trigger_id: idSchema, case_trigger: caseTriggerSchema });

export const listAgentCaseTriggers = defineOperation({
  operationId: 'listAgentCaseTriggers',
  method: 'GET',
  path: ofAgent,
  tag,
  summary: 'List the case triggers of an agent',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id'),
  query: z.object(pageQuery()),
  status: 200,
  response: listOf('case_triggers', caseTriggerSchema),
});

export const createCaseTrigger = defineOperation({
  operationId: 'createCaseTrigger',
  method: 'POST',
  path: ofAgent,
  tag,
  summary: 'Assign an agent to the cases of a queue',
  description: 'An agent has one trigger. Without `concurrency` it works on 5 cases at the same time.',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id'),
  body: z.object({
    case_queue_id: idSchema,
    enabled: z.boolean().default(true),
    concurrency: concurrency.nullish(),
  }),
  status: 201,
  idempotency: 'leased',
  response: oneTrigger,
});

export const getCaseTrigger = defineOperation({
  operationId: 'getCaseTrigger',
  method: 'GET',
  path: one,
  tag,
  summary: 'Get a case trigger',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id', 'trigger_id'),
  status: 200,
  response: oneTrigger,
});

export const updateCaseTrigger = defineOperation({
  operationId: 'updateCaseTrigger',
  method: 'PATCH',
  path: one,
  tag,
  summary: 'Update a case trigger',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id', 'trigger_id'),
  body: z.object({
    case_queue_id: idSchema.optional(),
    enabled: z.boolean().optional(),
    concurrency: concurrency.nullish(),
  }),
  status: 200,
  response: oneTrigger,
});

export const deleteCaseTrigger = defineOperation({
  operationId: 'deleteCaseTrigger',
  method: 'DELETE',
  path: one,
  tag,
  summary: 'Delete a case trigger',
  description: 'Runs that it has started go on.',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id', 'trigger_id'),
  status: 200,
  response: successSchema,
});

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, pageQuery, queryBoolean, timestampSchema } from '../../schemas/common.js';
import { buildConfigSchema } from '../../schemas/build-config.js';
import { conflictingAgentSchema } from '../../schemas/cases.js';
import { buildSchema, warningsSchema } from './revisions.js';
import { scheduleSchema } from './schedules.js';
import { named } from '../../schemas/named.js';

const owner = 'agents-and-revisions';
const tag = 'Agents';
const lists = { default: 20, max: 100 };

export const agentSchema = named(
  'Agent',
  z.object({
    id: idSchema,
    agent_id: idSchema,
    team_id: idSchema,
    name: z.string(),
    description: z.string().nullable(),
    live_build_id: idSchema,
    agentic_memory_enabled: z.boolean(),
    last_run_at: timestampSchema.nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

const listedAgentSchema = named(
  'ListedAgent',
  agentSchema.extend({
    latest_build: buildSchema,
    schedules: z.array(scheduleSchema).optional(),
    /**
     * Whether it takes the cases of a queue: its trigger is enabled. What follows tells of that trigger. All four are absent
     * while the service that has the triggers cannot be asked.
     */
    case_trigger_enabled: z.boolean().optional(),
    /** Whether another enabled trigger takes cases of the same queue. */
    case_trigger_has_conflict: z.boolean().optional(),
    case_trigger_conflicting_agents: z.array(conflictingAgentSchema).optional(),
    case_queue_name: z.string().nullable().optional(),
  }),
);

const nameSchema = z.string().trim().min(1).max(200);
const descriptionSchema = z.string().max(5000).nullish();

const oneAgent = z.object({ agent_id: idSchema, agent: agentSchema });

export const listAgents = defineOperation({
  operationId: 'listAgents',
  method: 'GET',
  path: '/v2/teams/{teamId}/agents',
  tag,
  summary: 'List the agents of a team',
  owner,
  scope: 'agents:read',
  params: idParams('teamId'),
  query: z.object({ include_schedules: queryBoolean, ...pageQuery(lists) }),
  status: 200,
  response: z.strictObject({
    agents: z.array(listedAgentSchema),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  }),
});

export const createAgent = defineOperation({
  operationId: 'createAgent',
  method: 'POST',
  path: '/v2/teams/{teamId}/agents',
  tag,
  summary: 'Create an agent with a live first revision',
  owner,
  scope: 'agents:write',
  params: idParams('teamId'),
  body: z.object({
    name: nameSchema.default('Untitled agent'),
    description: descriptionSchema,
    agentic_memory_enabled: z.boolean().default(true),
    build: z.object({ name: nameSchema.optional(), config: buildConfigSchema.prefault({}) }).prefault({}),
  }),
  status: 201,
  response: oneAgent.extend({ build: buildSchema, warnings: warningsSchema }),
});

export const getAgent = defineOperation({
  operationId: 'getAgent',
  method: 'GET',
  path: '/v2/agents/{agent_id}',
  tag,
  summary: 'Get an agent',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id'),
  status: 200,
  response: oneAgent,
});

export const updateAgent = defineOperation({
  operationId: 'updateAgent',
  method: 'PATCH',
  path: '/v2/agents/{agent_id}',
  tag,
  summary: 'Update an agent',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id'),
  body: z.object({
    name: nameSchema.optional(),
    description: descriptionSchema,
    agentic_memory_enabled: z.boolean().optional(),
  }),
  status: 200,
  response: oneAgent,
});

export const deleteAgent = defineOperation({
  operationId: 'deleteAgent',
  method: 'DELETE',
  path: '/v2/agents/{agent_id}',
  tag,
  summary: 'Delete an agent',
  description:
    'Its active runs are stopped; ended runs and their files stay readable. Where one of them waits for an approval, deleting the agent cancels the approval, which needs the scope `approvals:write` too.',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id'),
  idempotency: 'leased',
  status: 200,
  response: z.object({ success: z.literal(true), schedules_deleted: z.int() }),
});

export const rollbackAgent = defineOperation({
  operationId: 'rollbackAgent',
  method: 'POST',
  path: '/v2/agents/{agent_id}/rollback',
  tag,
  summary: 'Roll an agent back to its previous live revision',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id'),
  status: 200,
  response: z.object({
    success: z.literal(true),
    build_id: idSchema,
    status: z.string(),
    build: buildSchema,
    warnings: warningsSchema,
  }),
});

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, pageQuery, timestampSchema } from '../../schemas/common.js';
import { buildConfigSchema } from '../../schemas/build-config.js';
import { named } from '../../schemas/named.js';

const owner = 'agents-and-revisions';
const tag = 'Revisions';

export const buildStatuses = ['draft', 'live', 'historic'] as const;

export const buildStatusSchema = named('BuildStatus', z.enum(buildStatuses));

export const buildSchema = named(
  'Build',
  z.object({
    id: idSchema,
    build_id: idSchema,
    agent_id: idSchema,
    name: z.string(),
    revision_number: z.int(),
    revision_name: z.string().nullable(),
    revision_description: z.string().nullable(),
    status: buildStatusSchema,
    config: buildConfigSchema,
    parent_build_id: idSchema.nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

/** Faults that make every run of a revision fail: a model without a key, steps that cannot be parsed. */
export const warningsSchema = z.array(z.string());

export const oneBuild = z.object({
  build_id: idSchema,
  status: buildStatusSchema,
  build: buildSchema,
  warnings: warningsSchema,
});

const nameSchema = z.string().trim().min(1).max(200);
const labels = { name: z.string().trim().min(1).max(80), description: z.string().max(500) };

export const listAgentRevisions = defineOperation({
  operationId: 'listAgentRevisions',
  method: 'GET',
  path: '/v2/agents/{agent_id}/revisions',
  tag,
  summary: 'List the revisions of an agent, newest first',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id'),
  query: z.object({ ...pageQuery({ default: 20, max: 100 }) }),
  status: 200,
  response: z.strictObject({
    builds: z.array(buildSchema),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  }),
});

export const createRevision = defineOperation({
  operationId: 'createRevision',
  method: 'POST',
  path: '/v2/agents/{agent_id}/revisions',
  tag,
  summary: 'Create a draft revision',
  description: 'A copy of the live revision and its rubrics, unless another source or a config is given.',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id'),
  body: z.object({
    name: nameSchema.optional(),
    config: buildConfigSchema.optional(),
    source_build_id: idSchema.optional(),
  }),
  status: 201,
  response: oneBuild,
});

export const getRevision = defineOperation({
  operationId: 'getRevision',
  method: 'GET',
  path: '/v2/agents/{agent_id}/revisions/{build_id}',
  tag,
  summary: 'Get a revision',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id', 'build_id'),
  status: 200,
  response: oneBuild,
});

export const updateRevision = defineOperation({
  operationId: 'updateRevision',
  method: 'PATCH',
  path: '/v2/revisions/{build_id}',
  tag,
  summary: 'Update a revision',
  description:
    '`revision_name` and `revision_description` of every revision; `name` and `config` of a draft only.',
  owner,
  scope: 'agents:write',
  params: idParams('build_id'),
  body: z.object({
    name: nameSchema.optional(),
    config: buildConfigSchema.optional(),
    revision_name: labels.name.nullish(),
    revision_description: labels.description.nullish(),
  }),
  status: 200,
  response: oneBuild,
});

export const promoteRevision = defineOperation({
  operationId: 'promoteRevision',
  method: 'POST',
  path: '/v2/revisions/{build_id}/promote',
  tag,
  summary: 'Promote a revision to the live build',
  description: 'With `require`, only if the evaluations of its runs reach the given figures.',
  owner,
  scope: 'agents:write',
  params: idParams('build_id'),
  body: z.object({
    revision_name: labels.name.optional(),
    revision_description: labels.description.optional(),
    require: z
      .object({
        min_pass_rate: z.number().min(0).max(1).default(0),
        min_evaluated: z.int().min(0).default(1),
      })
      .optional(),
  }),
  status: 200,
  repeatable: true,
  // The gate asks the run service, and nothing is asked in a transaction.
  idempotency: 'leased',
  response: oneBuild.extend({ success: z.literal(true) }),
});

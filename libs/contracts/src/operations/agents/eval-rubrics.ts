import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { boundedList, idParams, idSchema, severitySchema, timestampSchema } from '../../schemas/common.js';
import { named } from '../../schemas/named.js';

const owner = 'agents-and-revisions';
const tag = 'Evaluations';
const path = '/v2/agents/{agentId}/eval-rubrics';

export const rubricSchema = named(
  'Rubric',
  z.object({
    id: idSchema,
    rubric_id: idSchema,
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    severity: severitySchema,
    sort_order: z.int(),
    version: z.int(),
    build_id: idSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

export const platformRubricSchema = named(
  'PlatformRubric',
  z.object({
    key: z.string(),
    title: z.string(),
    /** The same as `title`. */
    label: z.string(),
    description: z.string(),
    /** The behaviour that fails the rubric. */
    cause: z.string().nullable(),
    severity: severitySchema,
  }),
);

const fields = {
  title: z.string().trim().min(3).max(80),
  description: z.string().trim().min(20).max(400),
  severity: severitySchema,
  sort_order: z.int().min(0).max(1000),
};

const newRubric = named(
  'RubricInput',
  z.object({
    title: fields.title,
    description: fields.description,
    severity: fields.severity.default('medium'),
    sort_order: fields.sort_order.optional(),
  }),
);

const buildId = idSchema.optional();

export const maxRubricsOfBuild = 5;

export const getEvalRubrics = defineOperation({
  operationId: 'getEvalRubrics',
  method: 'GET',
  path,
  tag,
  summary: 'Get the rubrics of a revision',
  owner,
  scope: 'evals:read',
  params: idParams('agentId'),
  query: z.object({ build_id: buildId }),
  status: 200,
  response: z.object({ rubrics: z.array(rubricSchema), platform_rubrics: z.array(platformRubricSchema) }),
});

export const createEvalRubric = defineOperation({
  operationId: 'createEvalRubric',
  method: 'POST',
  path,
  tag,
  summary: 'Create a rubric for a revision',
  owner,
  scope: 'evals:write',
  params: idParams('agentId'),
  body: newRubric.extend({ build_id: buildId }),
  status: 200,
  response: z.object({ rubric_id: idSchema, rubric: rubricSchema }),
});

export const replaceEvalRubrics = defineOperation({
  operationId: 'replaceEvalRubrics',
  method: 'PUT',
  path,
  tag,
  summary: 'Replace all rubrics of a revision',
  owner,
  scope: 'evals:write',
  params: idParams('agentId'),
  body: z.object({ rubrics: boundedList(newRubric, { max: 100 }).default([]), build_id: buildId }),
  status: 200,
  destructive: true,
  response: z.object({ rubrics: z.array(rubricSchema) }),
});

export const updateEvalRubric = defineOperation({
  operationId: 'updateEvalRubric',
  method: 'PATCH',
  path: `${path}/{rubric_id}`,
  tag,
  summary: 'Update a rubric',
  description: 'Raises its version; results already given keep the text they were judged by.',
  owner,
  scope: 'evals:write',
  params: idParams('agentId', 'rubric_id'),
  body: z.object({
    title: fields.title.optional(),
    description: fields.description.optional(),
    severity: fields.severity.optional(),
    sort_order: fields.sort_order.optional(),
  }),
  status: 200,
  response: z.object({ rubric_id: idSchema, rubric: rubricSchema }),
});

export const deleteEvalRubric = defineOperation({
  operationId: 'deleteEvalRubric',
  method: 'DELETE',
  path: `${path}/{rubric_id}`,
  tag,
  summary: 'Delete a rubric',
  owner,
  scope: 'evals:write',
  params: idParams('agentId', 'rubric_id'),
  status: 204,
  response: z.undefined(),
});

/** Platform rubrics, evaluated on the facts of a run. */
export const platformRubrics: readonly z.output<typeof platformRubricSchema>[] = (
  [
    {
      key: 'no_tool_errors',
      title: 'No tool errors',
      description: 'No tool call of the run ended with an error.',
      cause: 'A tool call ended with an error.',
      severity: 'medium',
    },
    {
      key: 'no_retries_exhausted',
      title: 'No retries exhausted',
      description: 'No model or tool call was given up after its last retry.',
      cause: 'A model or tool call was given up after its last retry.',
      severity: 'critical',
    },
    {
      key: 'ended_with_answer',
      title: 'Ended with an answer',
      description: 'The run ended with a text of the assistant as its result.',
      cause: 'The run ended without a text of the assistant.',
      severity: 'critical',
    },
    {
      key: 'no_repeated_tool_calls',
      title: 'No repeated tool calls',
      description: 'The run did not make the same tool call with the same arguments twice in a row.',
      cause: 'The run made the same tool call with the same arguments twice in a row.',
      severity: 'low',
    },
  ] as const
).map((rubric) => ({ ...rubric, label: rubric.title }));

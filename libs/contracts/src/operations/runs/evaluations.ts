import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, queryTimestamp, severitySchema, timestampSchema } from '../../schemas/common.js';
import { named } from '../../schemas/named.js';

const owner = 'runs';
const tag = 'Evaluations';
const scope = 'evals:read';

/** One of `rubric_id` and `key` names the rubric; the rest is as it was when the run was judged. */
export const rubricResultSchema = named(
  'RubricResult',
  z.object({
    rubric_id: idSchema.optional(),
    key: z.string().optional(),
    title: z.string(),
    version: z.int(),
    /** Null: could not be judged, and is not counted. */
    passed: z.boolean().nullable(),
    severity: severitySchema,
    comment: z.string(),
  }),
);

export type RubricResult = z.output<typeof rubricResultSchema>;

export const evaluationStatuses = ['ready', 'in_progress', 'unavailable'] as const;

export const evaluationStatusSchema = named('EvaluationStatus', z.enum(evaluationStatuses));

export const evaluationSchema = named(
  'Evaluation',
  z.object({
    id: idSchema,
    run_id: idSchema,
    created_at: timestampSchema,
    status: evaluationStatusSchema,
    passed: z.int(),
    total: z.int(),
    results: z.array(rubricResultSchema),
  }),
);

export type Evaluation = z.output<typeof evaluationSchema>;

export const getRunEvaluation = defineOperation({
  operationId: 'getRunEvaluation',
  method: 'GET',
  path: '/v2/agent/{agentId}/runs/{runId}/evaluation',
  tag,
  summary: 'Get the evaluation of a run',
  description: '`data` is null for a run that has not ended, or was stopped.',
  owner,
  scope,
  params: idParams('agentId', 'runId'),
  status: 200,
  response: z.object({ data: evaluationSchema.nullable() }),
});

export const getEvalScores = defineOperation({
  operationId: 'getEvalScores',
  method: 'GET',
  path: '/v2/agent/{agentId}/eval-scores',
  tag,
  summary: 'Get the evaluation scores of an agent and their trend',
  owner,
  scope,
  params: idParams('agentId'),
  query: z.object({
    /** Runs that ended at or after; 30 days ago unless given. */
    since: queryTimestamp,
    scope: z.enum(['all', 'custom']).default('all'),
    /** The build whose runs are meant. */
    revision_id: idSchema.optional(),
  }),
  status: 200,
  response: z.object({
    total_evaluated: z.int(),
    with_issues: z.int(),
    flag_distribution: z.array(z.object({ flag: z.string(), label: z.string(), count: z.int() })),
    trend: z.array(z.object({ date: z.iso.date(), evaluated: z.int(), with_issues: z.int() })),
  }),
});

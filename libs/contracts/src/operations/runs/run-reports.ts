import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { idParams, idSchema, timestampSchema } from '../../schemas/common.js';
import { runStatusSchema } from '../../schemas/runs.js';
import { named } from '../../schemas/named.js';

export const stepKinds = ['model', 'tool', 'human', 'wait'] as const;

export type StepKind = (typeof stepKinds)[number];

export const stepKindSchema = named('StepKind', z.enum(stepKinds));

export const stepStatuses = ['running', 'completed', 'failed', 'cancelled'] as const;

export type StepStatus = (typeof stepStatuses)[number];

export const stepStatusSchema = named('StepStatus', z.enum(stepStatuses));

const reportedStepSchema = named(
  'RunStep',
  z.object({
    index: z.int(),
    name: z.string(),
    kind: stepKindSchema,
    status: stepStatusSchema,
    started_at: timestampSchema,
    completed_at: timestampSchema.nullable(),
    duration_ms: z.int().nullable(),
    attempts: z.int(),
    input_tokens: z.int().optional(),
    output_tokens: z.int().optional(),
    tool_calls: z.int().optional(),
    error: z.string().optional(),
  }),
);

export const getWorkflowExecutionReport = defineOperation({
  operationId: 'getWorkflowExecutionReport',
  method: 'GET',
  path: '/v2/agent/{agentId}/runs/{runId}/workflow-execution-report',
  tag: 'Runs',
  summary: 'Get the step-by-step report of a run',
  owner: 'runs',
  scope: 'runs:read',
  params: idParams('agentId', 'runId'),
  status: 200,
  response: z.object({
    run_id: idSchema,
    agent_id: idSchema,
    build_id: idSchema,
    status: runStatusSchema,
    started_at: timestampSchema.nullable(),
    completed_at: timestampSchema.nullable(),
    duration_ms: z.int().nullable(),
    steps: z.array(reportedStepSchema),
    totals: z.object({
      steps: z.int(),
      model_calls: z.int(),
      tool_calls: z.int(),
      human_requests: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      human_wait_ms: z.int(),
      active_ms: z.int(),
    }),
  }),
});

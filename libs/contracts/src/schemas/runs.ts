import { z } from 'zod';
import { buildConfigSchema } from './build-config.js';
import { idSchema, timestampSchema } from './common.js';
import { questionSchema } from './questions.js';
import { named } from './named.js';

export const runStatuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'stopped'] as const;

export type RunStatus = (typeof runStatuses)[number];

export const runStatusSchema = named('RunStatus', z.enum(runStatuses));

/** Nothing more happens to such a run unless a message reopens it. */
export const endedRunStatuses = ['completed', 'failed', 'stopped'] as const satisfies readonly RunStatus[];

export function hasEnded(status: RunStatus): boolean {
  return (endedRunStatuses as readonly RunStatus[]).includes(status);
}

export const runSources = ['api', 'schedule', 'case', 'agent', 'mcp'] as const;

export type RunSource = (typeof runSources)[number];

export const runSourceSchema = named('RunSource', z.enum(runSources));

/** Limits of all messages of a run. */
export const runMessageLimits = { count: 10_000, bytes: 32 * 1024 * 1024 } as const;

/** Why a run failed. */
export const runErrorCodes = [
  'model_error',
  'invalid_script',
  'failed_by_agent',
  'timeout',
  'max_steps_exceeded',
  'budget_exceeded',
  'human_request_expired',
  'agent_unavailable',
  'connection_unavailable',
  'output_too_large',
  'output_truncated',
  'content_filtered',
  'model_protocol_error',
  'limit_reached',
  'worker_lost',
  'internal_error',
] as const;

export type RunErrorCode = (typeof runErrorCodes)[number];

export const runErrorCodeSchema = named('RunErrorCode', z.enum(runErrorCodes));

export const runErrorSchema = named('RunError', z.object({ code: runErrorCodeSchema, message: z.string() }));

export type RunError = z.output<typeof runErrorSchema>;

/** As a run shows it: with what can be done about it. */
export const shownRunErrorSchema = named('ShownRunError', runErrorSchema.extend({ advice: z.string() }));

export const runStopReasons = [
  'requested',
  'agent_deleted',
  'parent_stopped',
  'parent_failed',
  'case_deleted',
  'case_reset',
  'case_settled',
] as const;

export type RunStopReason = (typeof runStopReasons)[number];

export const runStopReasonSchema = named('RunStopReason', z.enum(runStopReasons));

export const runSchema = named(
  'Run',
  z.object({
    id: idSchema,
    run_id: idSchema,
    /** Counts the runs of its agent, from 1; no number is used again. */
    run_number: z.int().min(1),
    title: z.string(),
    agent_id: idSchema,
    agent_name: z.string(),
    build_id: idSchema,
    team_id: idSchema,
    status: runStatusSchema,
    source: runSourceSchema,
    sandbox_id: idSchema,
    /** The credential that started it. */
    user_id: idSchema.nullable(),
    case_id: idSchema.nullable(),
    /** The same as `case_id`. */
    case_queue_item_id: idSchema.nullable(),
    /** As they were when the run took the case. */
    case_title: z.string().nullable(),
    case_queue_id: idSchema.nullable(),
    case_queue_name: z.string().nullable(),
    /** The moment to which the run has postponed its case. */
    postponed_to: timestampSchema.nullable(),
    human_in_the_loop_enabled: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    /** The last text of the assistant. */
    result: z.string().nullable(),
    error: shownRunErrorSchema.nullable(),
    stop_reason: runStopReasonSchema.nullable(),
    pending_reason: z.enum(['queued', 'concurrency_limit']).nullable(),
    usage: z.object({
      steps: z.int(),
      tool_calls: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
    }),
    eval_summary: z.object({ passed: z.int(), total: z.int(), has_issues: z.boolean() }).nullable(),
    created_at: timestampSchema,
    started_at: timestampSchema.nullable(),
    completed_at: timestampSchema.nullable(),
    updated_at: timestampSchema,
  }),
);

export type Run = z.output<typeof runSchema>;

export const messageTypes = [
  'text',
  'thinking',
  'tool_call',
  'tool_result',
  'human_request',
  'system',
] as const;

export type MessageType = (typeof messageTypes)[number];

export const messageTypeSchema = named('MessageType', z.enum(messageTypes));

export const messageRoles = ['user', 'assistant', 'tool', 'system'] as const;

export type MessageRole = (typeof messageRoles)[number];

export const messageRoleSchema = named('MessageRole', z.enum(messageRoles));

export const toolCallSchema = named(
  'ToolCall',
  z.object({
    id: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
);

export const toolResultSchema = named(
  'ToolResult',
  z.object({
    tool_call_id: z.string(),
    result: z.unknown().optional(),
    error: z.string().optional(),
  }),
);

export const runMessageSchema = named(
  'RunMessage',
  z.object({
    id: idSchema,
    seq: z.int(),
    type: messageTypeSchema,
    role: messageRoleSchema,
    text_content: z.string().optional(),
    tool_call: toolCallSchema.optional(),
    tool_result: toolResultSchema.optional(),
    timestamp: timestampSchema,
  }),
);

export type RunMessage = z.output<typeof runMessageSchema>;

export const humanRequestTypes = ['approval', 'question'] as const;

export const humanRequestTypeSchema = named('HumanRequestType', z.enum(humanRequestTypes));

export const humanRequestStatuses = ['pending', 'answered', 'cancelled', 'expired'] as const;

export const humanRequestStatusSchema = named('HumanRequestStatus', z.enum(humanRequestStatuses));

export const humanRequestSchema = named(
  'HumanRequest',
  z.object({
    id: idSchema,
    request_id: idSchema,
    run_id: idSchema,
    type: humanRequestTypeSchema,
    title: z.string(),
    description: z.string().nullable(),
    questions: z.array(questionSchema).optional(),
    status: humanRequestStatusSchema,
    response: z.record(z.string(), z.unknown()).nullable(),
    votes: z.array(
      z.object({
        user_id: idSchema,
        approved: z.boolean(),
        comment: z.string().nullable(),
        voted_at: timestampSchema,
      }),
    ),
    assignee: z.string().nullable(),
    due_at: timestampSchema.nullable(),
    on_timeout: z.enum(['deny', 'fail']),
    required_approvals: z.int(),
    responded_at: timestampSchema.nullable(),
    created_at: timestampSchema,
  }),
);

export type HumanRequest = z.output<typeof humanRequestSchema>;

/** The build as the run copied it when it started; later edits change nothing here. */
export const copiedBuildSchema = named(
  'RunBuild',
  z.object({
    id: idSchema,
    build_id: idSchema,
    agent_id: idSchema,
    name: z.string(),
    revision_number: z.int(),
    config: buildConfigSchema,
  }),
);

export type CopiedBuild = z.output<typeof copiedBuildSchema>;

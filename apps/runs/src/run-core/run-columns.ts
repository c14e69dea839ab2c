import type { RunEntity } from './run.entity.js';

const earliest = 0;
const latest = Date.parse('9999-12-31T23:59:59.999Z');
const finerThanMs = /\.\d{3}\d*[1-9]/;

/**
 * Runs have milliseconds: at or after, and before, a finer moment mean the next millisecond. Kept within what
 * Postgres can read; there are no runs outside.
 */
export function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text) + (finerThanMs.test(text) ? 1 : 0);
  return new Date(Math.min(Math.max(ms, earliest), latest));
}

type RunColumn = keyof RunEntity;

export const publicColumns = [
  'id',
  'run_number',
  'title',
  'agent_id',
  'agent_name',
  'build_id',
  'team_id',
  'status',
  'source',
  'sandbox_id',
  'user_id',
  'case_id',
  'case_title',
  'case_queue_id',
  'case_queue_name',
  'human_in_the_loop_enabled',
  'metadata',
  'result',
  'error',
  'stop_reason',
  'steps',
  'tool_calls',
  'input_tokens',
  'output_tokens',
  'created_at',
  'started_at',
  'completed_at',
  'updated_at',
] as const satisfies readonly RunColumn[];

export const foundColumns = [
  ...publicColumns,
  'build_digest',
  'message_seq',
  'event_seq',
] as const satisfies readonly RunColumn[];

/** Public columns that only the ending statement knows. */
export const outcomeColumns = [
  'steps',
  'tool_calls',
  'input_tokens',
  'output_tokens',
  'started_at',
  'completed_at',
  'updated_at',
] as const satisfies readonly RunColumn[];

export const factColumns = [
  'id',
  'team_id',
  'agent_id',
  'build_id',
  'source',
  'case_id',
] as const satisfies readonly RunColumn[];

/** Columns of the events that end a run. */
export const endColumns = [...factColumns, 'schedule_id', 'reopened'] as const satisfies readonly RunColumn[];

export const claimedColumns = [
  ...endColumns,
  'build_digest',
  'sandbox_id',
  'traceparent',
  'human_in_the_loop_enabled',
  'steps',
  'script_position',
  'message_seq',
  'message_bytes',
  'event_seq',
  'limits_from_steps',
  'limits_from_tokens',
  'input_tokens',
  'output_tokens',
  'active_ms',
] as const satisfies readonly RunColumn[];

/** By what the ledger counts ended runs. */
export const tallyColumns = [
  'team_id',
  'agent_id',
  'user_id',
  'case_queue_id',
  'source',
  'status',
] as const satisfies readonly RunColumn[];

/** The columns as a statement lists them. */
export function listed(columns: readonly RunColumn[], table?: string): string {
  return columns.map((column) => (table === undefined ? column : `${table}.${column}`)).join(', ');
}

import {
  hasEnded,
  shownRunError,
  type Run,
  type RunFacts,
  type RunOutcome,
  type RunProgress,
} from '@aos/contracts';
import { isoTime } from '@aos/platform';
import type { ChangedRun, CommittedRun, RunChange } from './changes/run-change.js';
import type { factColumns, outcomeColumns, publicColumns } from './run-columns.js';
import type { RunEntity } from './run.entity.js';

/** A run as callers see it; how it was judged is stored beside it. */
export type PublicRun = Pick<RunEntity, (typeof publicColumns)[number]> &
  Pick<Run, 'eval_summary'> &
  Partial<Pick<Run, 'pending_reason' | 'postponed_to'>>;

export function toRun(row: PublicRun): Run {
  return {
    id: row.id,
    run_id: row.id,
    run_number: row.run_number,
    title: row.title,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    build_id: row.build_id,
    team_id: row.team_id,
    status: row.status,
    source: row.source,
    sandbox_id: row.sandbox_id,
    user_id: row.user_id,
    case_id: row.case_id,
    case_queue_item_id: row.case_id,
    case_title: row.case_title,
    case_queue_id: row.case_queue_id,
    case_queue_name: row.case_queue_name,
    postponed_to: row.postponed_to ?? null,
    human_in_the_loop_enabled: row.human_in_the_loop_enabled,
    metadata: row.metadata,
    result: row.result,
    error: row.error && shownRunError(row.error),
    stop_reason: row.stop_reason,
    pending_reason: row.status === 'pending' ? (row.pending_reason ?? 'queued') : null,
    usage: usageOf(row),
    eval_summary: row.eval_summary,
    created_at: isoTime(row.created_at),
    started_at: row.started_at && isoTime(row.started_at),
    completed_at: row.completed_at && isoTime(row.completed_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** Longer results are asked for: listeners keep what they hear for a while. */
const maxToldResultLength = 2_000;
const maxToldEvents = 10;

/**
 * How a change has completed its run, as callers see it; undefined where they have to ask. A run that fails or is
 * stopped keeps the result of an earlier end, which a change does not know.
 */
export function outcomeOf(
  { status, result = null }: Pick<RunChange, 'status' | 'result'>,
  row: Pick<CommittedRun, (typeof outcomeColumns)[number] | 'eval_summary'>,
): RunOutcome | undefined {
  if (status !== 'completed' || (result?.length ?? 0) > maxToldResultLength) return undefined;
  return {
    result,
    error: null,
    stop_reason: null,
    usage: usageOf(row),
    eval_summary: row.eval_summary,
    started_at: row.started_at && isoTime(row.started_at),
    completed_at: row.completed_at && isoTime(row.completed_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The public events of a change that has ended its run, as they are stored; undefined where followers have to ask. */
export function toldEvents(
  { status, result, error, events }: Pick<RunChange, 'status' | 'result' | 'error' | 'events'>,
  { event_seq: last }: Pick<ChangedRun, 'event_seq'>,
  at: Date,
): RunProgress['events'] {
  const length = (result?.length ?? 0) + (error?.message.length ?? 0);
  if (!hasEnded(status) || length > maxToldResultLength) return undefined;
  const told = events.filter(({ isPublic }) => isPublic);
  if (told.length > maxToldEvents) return undefined;
  return told.map(({ id, event, data }, index) => ({
    seq: last - told.length + index + 1,
    id,
    event,
    created_at: isoTime(at),
    data: data as Record<string, unknown>,
  }));
}

function usageOf(
  row: Pick<RunEntity, 'steps' | 'tool_calls' | 'input_tokens' | 'output_tokens'>,
): Run['usage'] {
  return {
    steps: row.steps,
    tool_calls: row.tool_calls,
    input_tokens: Number(row.input_tokens),
    output_tokens: Number(row.output_tokens),
  };
}

export function factsOf(
  row: Pick<RunEntity, (typeof factColumns)[number]>,
  outcome: Pick<RunFacts, 'status' | 'error'> & { result?: string | null },
): RunFacts {
  return {
    run_id: row.id,
    status: outcome.status,
    agent_id: row.agent_id,
    build_id: row.build_id,
    team_id: row.team_id,
    source: row.source,
    case_id: row.case_id ?? undefined,
    result: outcome.result ?? undefined,
    error: outcome.error,
  };
}

export function runAnswer(row: PublicRun): { run_id: string; status: Run['status']; run: Run } {
  return { run_id: row.id, status: row.status, run: toRun(row) };
}

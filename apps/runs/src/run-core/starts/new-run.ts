import type { KeyRecord, RunError, RunSource } from '@aos/contracts';
import type { OutboxRow } from '@aos/events';
import type { ClaimedRun } from '../claims/run-claims.js';
import { recordColumns, type RunRecords } from '../records/run-records.js';
import type { PublicRun } from '../run.mapper.js';
import type { BuildCopy } from './build-snapshots.js';

/** A run that cannot be begun, with the reason that it is to show. */
export class RunRefused extends Error {
  override readonly name = 'RunRefused';

  constructor(readonly reason: RunError) {
    super(reason.message);
  }
}

const maxLength = 120;

/** The first line of the message that has something in it, or the agent's name. */
export function titleOf(message: string | null, agentName: string): string {
  const line = message
    ?.split('\n')
    .find((text) => text.trim() !== '')
    ?.trim();
  if (line === undefined) return agentName;
  const letters = [...line];
  return letters.length <= maxLength ? line : `${letters.slice(0, maxLength - 1).join('')}…`;
}

export interface ResolvedBuild extends BuildCopy {
  readonly agent_name: string;
  readonly has_rubrics?: boolean;
}

/** A run to be made. */
export interface NewRun {
  readonly id: string;
  readonly teamId: string;
  readonly found: ResolvedBuild;
  readonly message: string | null;
  readonly source: RunSource;
  readonly userId: string | null;
  readonly scheduleId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly humanInTheLoop: boolean;
  /** Already checked by the SSRF guard. */
  readonly webhookUrl: string | null;
  /** A sandbox that was made before; without one the run has its own. */
  readonly sandboxId?: string;
  /** The run whose tool call starts it, and how deep that one is. */
  readonly parent?: { readonly runId: string; readonly callId: string; readonly depth: number };
  /** The case that it takes, as it is then. */
  readonly case?: {
    readonly id: string;
    readonly title: string;
    readonly queueId: string;
    readonly queueName: string;
  };
  readonly events?: readonly OutboxRow[];
  /** The key's record, stored with the run. */
  readonly keyRecord?: KeyRecord;
}

/** The row of a new run, as far as callers see it. */
export type NewRunRow = PublicRun;

/** In place of the number of a run that is not stored yet. */
export const unnumbered = 0;

export function newRunRow(wanted: NewRun): NewRunRow {
  const { agent_name: agentName, build } = wanted.found;
  const now = new Date();
  return {
    id: wanted.id,
    // The statement that stores it gives it its number.
    run_number: unnumbered,
    title: titleOf(wanted.message, agentName),
    agent_id: build.agent_id,
    agent_name: agentName,
    build_id: build.id,
    team_id: wanted.teamId,
    status: 'pending',
    source: wanted.source,
    // Its own sandbox bears its id: nothing has to be stored for it, and it is found by it.
    sandbox_id: wanted.sandboxId ?? wanted.id,
    user_id: wanted.userId,
    case_id: wanted.case?.id ?? null,
    case_title: wanted.case?.title ?? null,
    case_queue_id: wanted.case?.queueId ?? null,
    case_queue_name: wanted.case?.queueName ?? null,
    human_in_the_loop_enabled: wanted.humanInTheLoop,
    metadata: wanted.metadata,
    result: null,
    error: null,
    stop_reason: null,
    steps: 0,
    tool_calls: 0,
    input_tokens: '0',
    output_tokens: '0',
    eval_summary: null,
    created_at: now,
    started_at: null,
    completed_at: null,
    updated_at: now,
  };
}

/** A new run as a claim of it would give it. */
export function takenRun(
  run: NewRunRow,
  more: {
    digest: string;
    hasRubrics: boolean | undefined;
    scheduleId: string | null;
    token: string;
    records: RunRecords;
    traceparent: string | null;
  },
): ClaimedRun {
  const { messages, events } = more.records;
  return {
    ...run,
    build_digest: more.digest,
    has_rubrics: more.hasRubrics,
    schedule_id: more.scheduleId,
    traceparent: more.traceparent,
    script_position: 0,
    message_seq: messages.length,
    message_bytes: String(recordColumns(more.records).message_bytes),
    first: true,
    slept: false,
    in_doubt: false,
    waited: 0,
    event_seq: events.length,
    reopened: 0,
    limits_from_steps: 0,
    limits_from_tokens: '0',
    active_ms: '0',
    token: more.token,
    messages: messages.map((message, index) => ({
      seq: index + 1,
      type: message.type,
      role: message.role,
      text_content: message.text_content ?? null,
      tool_call: null,
      tool_result: null,
    })),
  };
}

/** Keeps the first of each key; the others find its record. */
export function firstOfEachScope(starts: readonly { readonly scope: string | undefined }[]): {
  wanted: Set<number>;
  late: Set<number>;
} {
  const scopes = new Set<string>();
  const wanted = new Set<number>();
  const late = new Set<number>();
  for (const [n, { scope }] of starts.entries()) {
    if (scope !== undefined && scopes.has(scope)) {
      late.add(n);
      continue;
    }
    if (scope !== undefined) scopes.add(scope);
    wanted.add(n);
  }
  return { wanted, late };
}

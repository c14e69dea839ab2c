import type { MessageRole, MessageType, RunError, StepKind, StepStatus } from '@aos/contracts';
import type { ToolCall, TokenUsage } from '../models/model.js';
import type { HumanRequestDraft } from '../tools/tool.js';

/** A message of a run as the loop needs it. */
export interface LoopMessage {
  readonly type: MessageType;
  readonly role: MessageRole;
  readonly text?: string;
  readonly toolCall?: ToolCall;
  readonly toolResult?: ToolResult;
}

export interface ToolResult {
  readonly toolCallId: string;
  readonly result?: unknown;
  readonly error?: string;
}

/** One step as the report of the run shows it. A wait and a human step are stored when they begin. */
export interface StepRecord {
  readonly name: string;
  readonly kind: StepKind;
  readonly status: StepStatus;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly attempts: number;
  readonly usage?: TokenUsage;
  readonly toolCalls?: number;
  readonly error?: string;
}

export type AfterStep =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'complete'; readonly result: string | null }
  | { readonly kind: 'fail'; readonly error: RunError }
  /** Lets go of the run until a person has answered the call. */
  | { readonly kind: 'ask'; readonly request: HumanRequestDraft; readonly toolCallId: string }
  /** Lets go of the run for this long. */
  | { readonly kind: 'sleep'; readonly ms: number }
  /** Lets go of the run until what the call waits for has happened; it is looked at again after this long. */
  | { readonly kind: 'await'; readonly ms: number };

export interface EndedCall {
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly error?: string;
}

/** Everything that one step changes; stored together or not at all. */
export interface Entry {
  /** Absent where a run ends because a limit forbids the next step, and where a call is awaited. */
  readonly step?: StepRecord;
  readonly messages: readonly LoopMessage[];
  /** For the events of tool calls that have ended. */
  readonly toolCallsEnded?: readonly EndedCall[];
  readonly scriptPosition: number;
  /** Working time since the entry before. */
  readonly activeMs: number;
  readonly then: AfterStep;
}

/** A tool call that is about to be made, or was when its worker died. */
export interface ToolCallIntent {
  readonly name: string;
  readonly attempts: number;
}

/**
 * Where a run's steps are stored. Throws if the run is no longer this worker's: then nothing was stored, and
 * nothing more may be done.
 */
export interface Journal {
  /** Records that a tool call is about to be made. After a crash the run says so: `RunState.intent`. */
  recordIntent(call: ToolCallIntent & { readonly startedAt: Date }): Promise<void>;
  record(entry: Entry): Promise<Recorded>;
}

export interface Recorded {
  /** False only for an end that a message came before: nothing was stored, and the run is to go on. */
  readonly stored: boolean;
  /**
   * What people have posted since the call before, each message once, also if nothing was stored. In the run they
   * come before the messages of the entry.
   */
  readonly posted: readonly LoopMessage[];
}

import type { Question } from '@aos/contracts';
import type { ToolDescription } from '../models/model.js';

/** What a tool may know of the run that calls it. */
export interface ToolContext {
  readonly runId: string;
  readonly teamId: string;
  readonly agentId: string;
  readonly sandboxId: string;
  /** The fencing token: proves to the stores that the run is still this worker's. */
  readonly fence: string;
  /** The id of the call: the same when it is made again after a crash. */
  readonly callId: string;
  readonly humanInTheLoop: boolean;
  /** Aborted when the run is stopped, its time is over or its worker ends. */
  readonly signal: AbortSignal;
}

/** What a run wants from a person. */
export interface HumanRequestDraft {
  readonly type: 'approval' | 'question';
  readonly title: string;
  readonly description: string | null;
  readonly questions: readonly Question[] | null;
  readonly assignee: string | null;
  readonly dueAt: Date | null;
  readonly onTimeout: 'deny' | 'fail';
  readonly requiredApprovals: number;
}

export type ToolOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  /** Told to the model; it does not end the run. */
  | { readonly kind: 'error'; readonly message: string }
  /** The result comes later, from a person; nothing is held meanwhile. */
  | { readonly kind: 'ask'; readonly request: HumanRequestDraft }
  /** The result is not there yet: nothing is held, and the call is made again after this time or when woken. */
  | { readonly kind: 'later'; readonly afterMs: number };

/** What a call comes to. */
export type EndedOutcome = Extract<ToolOutcome, { kind: 'result' | 'error' }>;

/**
 * A failure that may pass: the call is made again, with pauses, before it counts as an error. One that must not be
 * repeated is made again only if the tool says that it had no effect.
 */
export class TransientToolError extends Error {
  override readonly name = 'TransientToolError';
  readonly hadNoEffect: boolean;

  constructor(message: string, { hadNoEffect = false }: { readonly hadNoEffect?: boolean } = {}) {
    super(message);
    this.hadNoEffect = hadNoEffect;
  }
}

/** The one way for a run to do something. */
export interface Tool extends ToolDescription {
  /** It does nothing outside the run, or knows by itself that it was called: that need not be noted before. */
  readonly isInstant: boolean;
  /** A call may be made again only because the database knows of the first. */
  readonly isKnownByDatabase?: boolean;
  /** Whether a call may be made again if it is unknown whether it took effect. */
  isRepeatable(args: Readonly<Record<string, unknown>>): boolean;
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>;
}

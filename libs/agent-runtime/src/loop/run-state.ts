import type { ToolCallIntent, LoopMessage } from './journal.js';

/** A run as its last stored step left it. */
export interface RunState {
  readonly runId: string;
  readonly teamId: string;
  readonly agentId: string;
  readonly sandboxId: string;
  /** Handed to tools. */
  readonly fence: string;
  /** The operating procedure. */
  readonly procedure: string;
  readonly temperature?: number;
  readonly humanInTheLoop: boolean;
  readonly messages: readonly LoopMessage[];
  /** Older messages that are not among them. */
  readonly omitted: number;
  readonly scriptPosition: number;
  /** The open call was about to be made before; `awaited` if the run let go of it on purpose, else its worker is gone. */
  readonly intent?: ToolCallIntent & { readonly awaited: boolean };
  /** Whether steps and calls of the run may have been made that are not stored any more. */
  readonly inDoubt: boolean;
  /** What is left since the run was started or reopened. */
  readonly left: Limits;
}

export interface Limits {
  /** How many messages the run may still get, and what they may take together. */
  readonly messages: number;
  readonly messageBytes: number;
  readonly steps: number;
  readonly activeMs: number;
  /** Undefined: no budget. */
  readonly tokens?: number;
}

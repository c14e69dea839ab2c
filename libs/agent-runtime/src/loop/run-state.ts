import type { LoopMessage } from './journal.js';

/** A run as its last stored step left it. */
export interface RunState {
  readonly runId: string;
  readonly teamId: string;
  readonly agentId: string;
  /** The operating procedure. */
  readonly procedure: string;
  readonly temperature?: number;
  readonly humanInTheLoop: boolean;
  readonly messages: readonly LoopMessage[];
  readonly position: number;
  /** What is left since the run was started or reopened. */
  readonly left: Limits;
}

export interface Limits {
  readonly steps: number;
  readonly activeMs: number;
  /** Undefined: no budget. */
  readonly tokens?: number;
}

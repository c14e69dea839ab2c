export interface RunLoad {
  readonly base: string;
  readonly key: string;
  readonly team: string;
  readonly agentId: string;
  readonly inFlight: number;
  readonly seconds: number;
  /** Before it measures; three unless it is told otherwise. */
  readonly warmUpSeconds?: number;
  /**
   * `wait`: startRun with `wait_seconds` answers when the run has ended. `follow`: startRun answers at once, and the
   * run's event stream tells of its end.
   */
  readonly mode: 'wait' | 'follow';
}

export interface RunLoadResult {
  readonly runs: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** From the request to the answer of startRun. */
  readonly start: { readonly p50Ms: number; readonly p99Ms: number };
  /** From the request to the end of the run. */
  readonly whole: { readonly p50Ms: number; readonly p99Ms: number };
}

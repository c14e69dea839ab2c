import type { ClaimedRun } from './run-claims.js';

/** A slot of the executor in this process. */
export interface RunSlot {
  /** Begins a run that was stored as taken. */
  begin(run: ClaimedRun): void;
  /** Claims a run and begins it. */
  claim(runId: string): void;
  /** Nothing came of it. */
  release(): void;
}

/** Port to the executor of this process, where a stored run starts soonest. */
export abstract class RunSlots {
  /** Undefined while the process, or the team, has enough to do. */
  abstract reserve(teamId: string): RunSlot | undefined;
}

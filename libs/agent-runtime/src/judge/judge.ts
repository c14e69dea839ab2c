import type { LoopMessage } from '../loop/journal.js';

/** What a run is judged by. */
export interface JudgedRubric {
  readonly title: string;
  readonly description: string;
}

export interface JudgeTask {
  readonly rubrics: readonly JudgedRubric[];
  /** Everything that was said and done in the run, oldest first. */
  readonly transcript: readonly LoopMessage[];
}

export interface Verdict {
  /** Null: the run gives no answer to this one. */
  readonly passed: boolean | null;
  readonly comment: string;
}

/** Tells how far a run did what its rubrics ask for: one verdict for each, in their order. */
export interface Judge {
  judge(task: JudgeTask, signal: AbortSignal): Promise<readonly Verdict[]>;
}

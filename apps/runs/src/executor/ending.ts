import { TransientSet } from '@aos/platform';

/** The rest of the grace is for storing what came of the calls, and for handing runs back. */
const shareOfCalls = 2 / 3;

/** The shutdown as one run sees it. */
export interface RunEnding {
  /** No step begins any more. */
  readonly leaving: AbortSignal;
  /** Calls that must not be made again have had their time to end. */
  readonly over: AbortSignal;
  release(): void;
}

interface ToldRun {
  readonly leave: AbortController;
  readonly stop: AbortController;
}

/**
 * Tells the runs in the hands of a process that it wants to end. Each has signals of its own: a signal that lives as long as
 * the process would refer, by the chain of its listeners, to all runs that ever listened since the last full collection.
 */
export class Ending {
  private readonly runs = new TransientSet<ToldRun>();
  private isLeaving = false;
  private isOver = false;

  constructor(private readonly graceMs: number) {}

  get hasBegun(): boolean {
    return this.isLeaving;
  }

  /** For a run that begins, until it is released. */
  tell(): RunEnding {
    const run: ToldRun = { leave: new AbortController(), stop: new AbortController() };
    const release = this.runs.add(run);
    if (this.isLeaving) run.leave.abort();
    if (this.isOver) run.stop.abort();
    return { leaving: run.leave.signal, over: run.stop.signal, release };
  }

  /** Resolves when the work has let go. */
  async begin(work: () => Promise<unknown>): Promise<void> {
    this.isLeaving = true;
    for (const { leave } of this.runs) leave.abort();
    const timer = setTimeout(() => this.stopCalls(), this.graceMs * shareOfCalls);
    try {
      await work();
    } finally {
      clearTimeout(timer);
    }
  }

  private stopCalls(): void {
    this.isOver = true;
    for (const { stop } of this.runs) stop.abort();
  }
}

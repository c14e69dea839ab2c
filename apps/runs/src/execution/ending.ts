import { setMaxListeners } from 'node:events';

/** The rest of the grace is for storing what came of the calls, and for handing runs back. */
const shareOfCalls = 2 / 3;

/** Tells the runs in the hands of a process that it wants to end. */
export class Ending {
  private readonly leave = new AbortController();
  private readonly stop = new AbortController();

  constructor(private readonly graceMs: number) {
    // Each run of the process listens; Node takes more than ten for a leak.
    setMaxListeners(0, this.leave.signal, this.stop.signal);
  }

  /** No step begins any more. */
  get leaving(): AbortSignal {
    return this.leave.signal;
  }

  /** Calls that must not be made again have had their time to end. */
  get over(): AbortSignal {
    return this.stop.signal;
  }

  /** Resolves when the work has let go. */
  async begin(work: () => Promise<unknown>): Promise<void> {
    this.leave.abort();
    const timer = setTimeout(() => this.stop.abort(), this.graceMs * shareOfCalls);
    try {
      await work();
    } finally {
      clearTimeout(timer);
    }
  }
}

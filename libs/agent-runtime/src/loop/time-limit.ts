/** Told to a call under way when the run's active time is over. */
export class TimeIsOver extends Error {
  override readonly name = 'TimeIsOver';

  constructor() {
    super('The run has worked as long as it may.');
  }
}

/** What the loop knows of time. */
export interface Clock {
  now(): Date;
  /** Never goes back; only differences mean something. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

const longestTimerMs = 2 ** 31 - 1;

/** Ends whatever is under way when a run's active time is over, or when its owner says so. */
export class TimeLimit {
  private readonly over = new AbortController();
  private readonly timer: NodeJS.Timeout;
  /** For the calls under way. */
  readonly signal: AbortSignal;

  constructor(
    ms: number,
    readonly owner: AbortSignal,
  ) {
    this.timer = setTimeout(
      () => this.over.abort(new TimeIsOver()),
      Math.min(Math.max(ms, 0), longestTimerMs),
    );
    this.signal = AbortSignal.any([owner, this.over.signal]);
  }

  /** Does not wait for work that ignores the signal. Throws TimeIsOver, the owner's reason, or the work's error. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const aborted = new Promise<never>((_resolve, reject) => {
      const onAbort = (): void => reject(this.signal.reason);
      this.signal.addEventListener('abort', onAbort, { signal: ended.signal });
    });
    try {
      this.signal.throwIfAborted();
      return await Promise.race([work(), aborted]);
    } catch (error) {
      this.owner.throwIfAborted();
      this.over.signal.throwIfAborted();
      throw error;
    } finally {
      ended.abort();
    }
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}

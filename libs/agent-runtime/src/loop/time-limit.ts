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

const maxTimerMs = 2 ** 31 - 1;

/** Ends whatever is under way when a run's active time is over, or when its owner says so. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private isOver = false;

  constructor(
    ms: number,
    readonly owner: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.end(), Math.min(Math.max(ms, 0), maxTimerMs));
    if (owner.aborted) this.followOwner();
    else owner.addEventListener('abort', this.followOwner);
  }

  /** For the calls under way. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Does not wait for work that ignores the signal. Throws TimeIsOver, the owner's reason, or the work's error. Each step
   * of a run passes here: a listener that is taken away again costs a fraction of a signal that is made for it.
   */
  async within<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    let onAbort!: () => void;
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(this.signal.reason);
    });
    this.signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([work(), aborted]);
    } catch (error) {
      this.owner.throwIfAborted();
      if (this.isOver) throw this.signal.reason;
      throw error;
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  clear(): void {
    clearTimeout(this.timer);
    this.owner.removeEventListener('abort', this.followOwner);
  }

  private end(): void {
    this.isOver = true;
    this.controller.abort(new TimeIsOver());
  }

  private readonly followOwner = (): void => this.controller.abort(this.owner.reason);
}

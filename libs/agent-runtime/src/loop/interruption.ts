/**
 * When a worker lets go of a run: at once if it is no longer its own; if the process wants to end, not in the middle of
 * a call that nobody could make again.
 */
export class Interruption {
  private readonly controller = new AbortController();
  private isSparing = false;

  constructor(
    private readonly lost: AbortSignal,
    private readonly leaving: AbortSignal | undefined,
  ) {
    for (const signal of [lost, leaving]) {
      if (signal?.aborted) this.follow();
      else signal?.addEventListener('abort', this.follow);
    }
  }

  /** For what is under way. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Before each step: what was spared is stored by now. */
  throwIfLeaving(): void {
    this.isSparing = false;
    this.follow();
    this.signal.throwIfAborted();
  }

  /** The call that now begins is not broken off for the sake of the process, until its step is stored. */
  spare(): void {
    this.signal.throwIfAborted();
    this.isSparing = true;
  }

  clear(): void {
    for (const signal of [this.lost, this.leaving]) signal?.removeEventListener('abort', this.follow);
  }

  private readonly follow = (): void => {
    if (this.lost.aborted) this.controller.abort(this.lost.reason);
    else if (this.leaving?.aborted && !this.isSparing) this.controller.abort(this.leaving.reason);
  };
}

import type { RunProgress } from '@aos/contracts';
import { TransientMap } from '@aos/platform';

export interface ProgressWanted {
  /** Which progress is worth waking up for; any by default. */
  readonly wanted?: (progress: RunProgress) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Remembered {
  readonly progress: RunProgress;
  readonly notifiedAt: number;
}

interface Waiter {
  readonly wanted: (progress: RunProgress) => boolean;
  readonly wake: (progress: RunProgress) => void;
}

/** A request begins to wait within moments of what it has read. News of an end has the whole run in it: each costs memory. */
const rememberedForMs = 1_000;
const maxRemembered = 10_000;

/**
 * Wakes the requests that wait for a run. The last notification of each run is kept for a while, so that a request that
 * begins to wait just after it is woken at once. A notification may be lost: no waiter relies on it alone.
 */
export class RunProgressFeed {
  /** Oldest first. */
  private readonly last = new TransientMap<string, Remembered>();
  private readonly waiters = new TransientMap<string, Set<Waiter>>();

  constructor(private readonly now: () => number = Date.now) {}

  notify(progress: RunProgress): void {
    // Processes that work on one run after another may overtake each other on the way here.
    if ((this.recall(progress.run_id)?.seq ?? 0) > progress.seq) return;
    this.remember(progress);
    for (const { wanted, wake } of this.waiters.get(progress.run_id) ?? [])
      if (wanted(progress)) wake(progress);
  }

  /** Resolves with progress that is wanted, remembered or new; with nothing when the time is over or the signal aborts. */
  next(
    runId: string,
    { wanted = () => true, timeoutMs, signal }: ProgressWanted,
  ): Promise<RunProgress | undefined> {
    const known = this.recall(runId);
    if (known && wanted(known)) return Promise.resolve(known);
    if (signal.aborted || timeoutMs <= 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const finish = (progress?: RunProgress) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.remove(runId, waiter);
        resolve(progress);
      };
      const giveUp = () => finish();
      const waiter: Waiter = { wanted, wake: finish };
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener('abort', giveUp);
      this.add(runId, waiter);
    });
  }

  /** How many wait, for all runs together. */
  get waiting(): number {
    return [...this.waiters.values()].reduce((sum, waiters) => sum + waiters.size, 0);
  }

  private recall(runId: string): RunProgress | undefined {
    const known = this.last.get(runId);
    return known && this.isFresh(known) ? known.progress : undefined;
  }

  private remember(progress: RunProgress): void {
    this.last.delete(progress.run_id);
    this.last.set(progress.run_id, { progress, notifiedAt: this.now() });
    for (const [runId, known] of this.last) {
      if (this.last.size <= maxRemembered && this.isFresh(known)) return;
      this.last.delete(runId);
    }
  }

  private isFresh({ notifiedAt }: Remembered): boolean {
    return this.now() - notifiedAt < rememberedForMs;
  }

  private add(runId: string, waiter: Waiter): void {
    const waiters = this.waiters.get(runId) ?? new Set();
    this.waiters.set(runId, waiters.add(waiter));
  }

  private remove(runId: string, waiter: Waiter): void {
    const waiters = this.waiters.get(runId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiters.delete(runId);
  }
}

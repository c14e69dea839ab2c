import type { RunProgress } from '@aos/contracts';

export interface NewsWanted {
  /** Which news is worth waking up for; any by default. */
  readonly wanted?: (news: RunProgress) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Remembered {
  readonly news: RunProgress;
  readonly heardAt: number;
}

interface Waiter {
  readonly wanted: (news: RunProgress) => boolean;
  readonly tell: (news: RunProgress) => void;
}

const rememberedForMs = 30_000;
const maxRemembered = 10_000;

/**
 * Wakes those who wait for a run. The last news of each run is kept for a while, so that whoever begins to wait just
 * after it is told at once. News may be lost: nobody may rely on it alone.
 */
export class RunProgressFeed {
  /** Oldest first. */
  private readonly last = new Map<string, Remembered>();
  private readonly waiters = new Map<string, Set<Waiter>>();

  constructor(private readonly now: () => number = Date.now) {}

  hear(news: RunProgress): void {
    // Processes that work on one run after another may overtake each other on the way here.
    if ((this.recall(news.run_id)?.seq ?? 0) > news.seq) return;
    this.remember(news);
    for (const { wanted, tell } of this.waiters.get(news.run_id) ?? []) if (wanted(news)) tell(news);
  }

  /** Resolves with news that is wanted, remembered or new; with nothing when the time is over or the signal aborts. */
  next(
    runId: string,
    { wanted = () => true, timeoutMs, signal }: NewsWanted,
  ): Promise<RunProgress | undefined> {
    const known = this.recall(runId);
    if (known && wanted(known)) return Promise.resolve(known);
    if (signal.aborted || timeoutMs <= 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const finish = (news?: RunProgress) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.remove(runId, waiter);
        resolve(news);
      };
      const giveUp = () => finish();
      const waiter: Waiter = { wanted, tell: finish };
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
    return known && this.isFresh(known) ? known.news : undefined;
  }

  private remember(news: RunProgress): void {
    this.last.delete(news.run_id);
    this.last.set(news.run_id, { news, heardAt: this.now() });
    for (const [runId, known] of this.last) {
      if (this.last.size <= maxRemembered && this.isFresh(known)) return;
      this.last.delete(runId);
    }
  }

  private isFresh({ heardAt }: Remembered): boolean {
    return this.now() - heardAt < rememberedForMs;
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

import { LRUCache } from 'lru-cache';

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Runs that went on in other processes are never heard of again here. */
const maxRemembered = 10_000;

/** How long a run waits that was handed back so many times in a row: twice as long each time. */
export function pauseAfterMs(setbacks: number): number {
  return Math.min(firstPauseMs * 2 ** (setbacks - 1), maxPauseMs);
}

/** How often runs could not be carried on in this process because something that they need was away. */
export class BackoffCounter {
  private readonly counts = new LRUCache<string, number>({ max: maxRemembered });

  /** One more; gives how many there are in a row. */
  add(runId: string): number {
    const count = (this.counts.get(runId) ?? 0) + 1;
    this.counts.set(runId, count);
    return count;
  }

  /** The run got further. */
  forget(runId: string): void {
    this.counts.delete(runId);
  }
}

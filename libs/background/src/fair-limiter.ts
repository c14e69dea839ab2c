export interface FairLimiterOptions {
  /** Of all keys together; unlimited by default. */
  readonly maxConcurrent?: number;
  /** Of one key; unlimited by default. */
  readonly maxPerKey?: number;
  /**
   * A key acquires only while it holds less than this many times the free capacity (Choudhury and Hahne's dynamic
   * threshold). By default 3: a key alone gets three quarters, and a key that holds nothing finds some free.
   */
  readonly shareFactor?: number;
}

/**
 * Limits the concurrent work of this process and shares its capacity fairly among keys, such as teams. Freed capacity goes
 * to the waiting key that holds the least; keys that hold as much alternate, and each key's work starts in order.
 */
export class FairLimiter {
  readonly maxConcurrent: number;
  private readonly maxPerKey: number;
  private readonly shareFactor: number;
  private readonly held = new Map<string, number>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private total = 0;

  constructor({ maxConcurrent = Infinity, maxPerKey = Infinity, shareFactor = 3 }: FairLimiterOptions) {
    this.maxConcurrent = maxConcurrent;
    this.maxPerKey = maxPerKey;
    this.shareFactor = shareFactor;
  }

  get free(): number {
    return this.maxConcurrent - this.total;
  }

  heldBy(key: string): number {
    return this.held.get(key) ?? 0;
  }

  waitingOf(key: string): number {
    return this.waiting.get(key)?.size ?? 0;
  }

  canAcquire(key: string): boolean {
    const held = this.heldBy(key);
    return this.free > 0 && held < this.maxPerKey && held < this.shareFactor * this.free;
  }

  /** Keys that hold capacity and can acquire no more for now. */
  keysAtLimit(): string[] {
    return [...this.held.keys()].filter((key) => !this.canAcquire(key));
  }

  tryAcquire(key: string): boolean {
    if (!this.canAcquire(key)) return false;
    this.held.set(key, this.heldBy(key) + 1);
    this.total += 1;
    return true;
  }

  /** Waits for capacity; rejects with the signal's reason if the signal aborts first. */
  async acquire(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryAcquire(key)) return;
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = () => {
        this.dequeue(key, start);
        reject(signal.reason);
      };
      this.enqueue(key, start);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** After a failed `tryAcquire`: the `release` that gives the key capacity calls `start`. */
  enqueue(key: string, start: () => void): void {
    this.waiting.set(key, (this.waiting.get(key) ?? new Set()).add(start));
  }

  release(key: string): void {
    const left = this.heldBy(key) - 1;
    if (left < 0) throw new Error('Released capacity that the key does not hold');
    if (left > 0) this.held.set(key, left);
    else this.held.delete(key);
    this.total -= 1;
    for (let next = this.nextKey(); next !== undefined && this.tryAcquire(next); next = this.nextKey()) {
      this.startNext(next);
    }
  }

  private nextKey(): string | undefined {
    let next: string | undefined;
    for (const key of this.waiting.keys()) {
      if (next === undefined || this.heldBy(key) < this.heldBy(next)) next = key;
    }
    return next;
  }

  private startNext(key: string): void {
    const starts = this.waiting.get(key)!;
    const [start] = starts;
    starts.delete(start!);
    // Moves the key behind others that hold as much.
    this.waiting.delete(key);
    if (starts.size > 0) this.waiting.set(key, starts);
    start!();
  }

  private dequeue(key: string, start: () => void): void {
    const starts = this.waiting.get(key);
    starts?.delete(start);
    if (starts?.size === 0) this.waiting.delete(key);
  }
}

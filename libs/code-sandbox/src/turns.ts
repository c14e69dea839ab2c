type Enter = () => void;

/**
 * Lets so many in at a time. Of those who wait, the owner with the fewest inside is next; owners with as many take
 * turns, and each owner's own go in the order they came. An owner that sends many waits for itself.
 */
export class Turns {
  private readonly waiting = new Map<string, Set<Enter>>();
  private readonly inside = new Map<string, number>();

  constructor(private free: number) {}

  /** Rejects with the signal's reason if that comes first. */
  async take(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      this.count(owner, 1);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.forget(owner, enter);
        reject(signal.reason);
      };
      const line = this.waiting.get(owner) ?? new Set();
      this.waiting.set(owner, line.add(enter));
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  give(owner: string): void {
    this.count(owner, -1);
    const next = this.nextOwner();
    if (next === undefined) {
      this.free += 1;
      return;
    }
    const [enter] = this.waiting.get(next)!;
    this.forget(next, enter!);
    // Behind the others who wait.
    const line = this.waiting.get(next);
    this.waiting.delete(next);
    if (line) this.waiting.set(next, line);
    this.count(next, 1);
    enter!();
  }

  private nextOwner(): string | undefined {
    const owners = [...this.waiting.keys()];
    return owners.reduce<string | undefined>(
      (best, owner) => (best === undefined || this.insideOf(owner) < this.insideOf(best) ? owner : best),
      undefined,
    );
  }

  private insideOf(owner: string): number {
    return this.inside.get(owner) ?? 0;
  }

  private count(owner: string, by: number): void {
    const now = this.insideOf(owner) + by;
    if (now === 0) this.inside.delete(owner);
    else this.inside.set(owner, now);
  }

  private forget(owner: string, enter: Enter): void {
    const line = this.waiting.get(owner);
    line?.delete(enter);
    if (line?.size === 0) this.waiting.delete(owner);
  }
}

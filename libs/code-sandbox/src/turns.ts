/** Lets so many in at a time; the others wait in the order they came. */
export class Turns {
  private readonly waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** Rejects with the signal's reason if that comes first. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.delete(enter);
        reject(signal.reason);
      };
      this.waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  give(): void {
    const [next] = this.waiting;
    if (!next) {
      this.free += 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}

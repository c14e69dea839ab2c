import type { QueryKey } from '@tanstack/react-query';

/** Many events in a moment ask for a list once. */
const gatherMs = 250;

/**
 * Asks anew for what events have made old, one round after the other: to ask anew ends what is being asked, and under a
 * steady flow of events lists of several pages would never come to their end.
 */
export class Refreshes {
  private readonly waiting = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;

  constructor(private readonly refresh: (key: QueryKey) => Promise<unknown>) {}

  add(keys: readonly QueryKey[]): void {
    for (const key of keys) this.waiting.set(JSON.stringify(key), key);
    if (this.waiting.size > 0 && !this.isStopped) {
      this.timer ??= setTimeout(() => void this.round(), gatherMs);
    }
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async round(): Promise<void> {
    const keys = [...this.waiting.values()];
    this.waiting.clear();
    await Promise.allSettled(keys.map((key) => this.refresh(key)));
    this.timer = undefined;
    this.add([]);
  }
}

import type { RedisConnections } from './redis-connections.js';

const measureEveryMs = 10_000;
/** A measurement that took longer says little. */
const maxRoundTripMs = 500;

/**
 * The clock of Redis, carried on by the monotonic clock of this process. Wall clocks differ between machines, may be set,
 * and stand still while a virtual machine is paused; what several machines compare is measured by the clock of Redis.
 */
export class RedisClock {
  /** Redis' time minus the monotonic time; undefined until it was measured. */
  private offsetMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isMeasuring = false;
  private readonly remeasure = () => void this.measure();

  constructor(private readonly connections: RedisConnections) {}

  /** Resolves when Redis was asked for the first time. */
  async start(): Promise<void> {
    this.timer = setInterval(this.remeasure, measureEveryMs).unref();
    // Another server may have taken over, with a clock of its own.
    this.connections.shared.on('ready', this.remeasure);
    await this.measure();
  }

  stop(): void {
    clearInterval(this.timer);
    this.connections.shared.off('ready', this.remeasure);
  }

  /** Milliseconds since the epoch; undefined until Redis has told its time. */
  nowMs(): number | undefined {
    return this.offsetMs === undefined ? undefined : performance.now() + this.offsetMs;
  }

  /** How far the wall clock of this process is ahead of Redis'. */
  wallClockAheadMs(): number | undefined {
    const now = this.nowMs();
    return now === undefined ? undefined : Date.now() - now;
  }

  private async measure(): Promise<void> {
    // A command waits while Redis is away.
    if (this.isMeasuring) return;
    this.isMeasuring = true;
    const { shared } = this.connections;
    const sentAt = performance.now();
    try {
      const [seconds, microseconds] = await shared.time();
      const answeredAt = performance.now();
      if (answeredAt - sentAt > maxRoundTripMs) return;
      this.offsetMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (sentAt + answeredAt) / 2;
    } catch {
      // Redis went away; it is asked again when it is back.
    } finally {
      this.isMeasuring = false;
    }
  }
}

/** The time at which Redis added an entry to a stream. */
export function timeOfEntryMs(entryId: string): number {
  return Number(entryId.slice(0, entryId.indexOf('-')));
}

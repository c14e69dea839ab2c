import { setTimeout as delay } from 'node:timers/promises';
import { isQuiet, type Logger } from '@aos/platform';

export interface WakeableLoopOptions {
  readonly name: string;
  /** Does what there is to do; true if there may be more. */
  readonly work: () => Promise<boolean>;
  /** How long to wait when nothing wakes it. */
  readonly idleMs: number;
  /** The same while nothing at all comes to the process; four times as long by default, up to four seconds. */
  readonly quietMs?: number;
  readonly logger: Logger;
  /** The least time from one beginning to the next: what comes meanwhile is done together. */
  readonly gatherMs?: number;
  /** For work that waits for Redis as long as it is away: the end of the process waits only a moment for it. */
  readonly mayBeLeft?: boolean;
}

const retryMs = 500;
/** A process to which nothing came for so long is quiet: its loops were most of what an idle product did. */
const quietAfterMs = 30_000;
const longestQuietMs = 4_000;
const leaveAfterMs = 1_000;

/** Background work that runs when woken, and once in a while in case a wake-up was lost. */
export class WakeableLoop {
  private stopping = false;
  private woken = false;
  private interrupt: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: WakeableLoopOptions) {}

  start(): void {
    this.running ??= this.loop();
  }

  wake(): void {
    this.woken = true;
    this.interrupt?.();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.interrupt?.();
    if (!this.options.mayBeLeft) return this.running;
    const leaving = new AbortController();
    await Promise.race([
      this.running,
      delay(leaveAfterMs, undefined, { signal: leaving.signal }).catch(() => undefined),
    ]);
    leaving.abort();
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      this.woken = false;
      const began = performance.now();
      try {
        const more = await this.options.work();
        await this.gather(began);
        if (more || this.woken) continue;
        await this.rest(isQuiet(quietAfterMs) ? untilNext(this.quietMs()) : this.options.idleMs);
      } catch (error) {
        this.options.logger.warn({ err: error }, `${this.options.name} failed and will try again`);
        await this.rest(retryMs);
      }
    }
  }

  private quietMs(): number {
    const { idleMs, quietMs = Math.min(4 * idleMs, longestQuietMs) } = this.options;
    return Math.max(idleMs, quietMs);
  }

  private async gather(began: number): Promise<void> {
    const { gatherMs = 0 } = this.options;
    const left = began + gatherMs - performance.now();
    if (left > 0 && !this.stopping) await delay(left);
  }

  private async rest(ms: number): Promise<void> {
    if (this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.interrupt = undefined;
  }
}

/** Until the next multiple of it: loops of a quiet process look at the same moments, so that it is woken less often. */
function untilNext(ms: number): number {
  return ms - (performance.now() % ms);
}

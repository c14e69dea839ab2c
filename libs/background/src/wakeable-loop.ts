import { setTimeout as delay } from 'node:timers/promises';
import { isQuiet, onNextActivity, type Logger } from '@aos/platform';

export interface WakeableLoopOptions {
  readonly name: string;
  /** Does what there is to do; true if there may be more. */
  readonly work: () => Promise<boolean>;
  /** Asked before a look in a quiet process, where most looks find nothing; what wakes the loop is not doubted. */
  readonly mayHaveWork?: () => Promise<boolean>;
  /** How long to wait when nothing wakes it. */
  readonly idleMs: number;
  /** The same while nothing at all comes to the process; ten times as long by default, up to ten seconds. */
  readonly quietMs?: number;
  /** For work that is due at a time, and is seen to be late: in a quiet process it is looked for every four seconds. */
  readonly isTimed?: boolean;
  readonly logger: Logger;
  /** The least time from one beginning to the next: what comes meanwhile is done together. */
  readonly gatherMs?: number;
  /** For work that waits for Redis as long as it is away: the end of the process waits only a moment for it. */
  readonly mayBeLeft?: boolean;
}

const retryMs = 500;
const quietTimes = 10;
const maxQuietMs = 10_000;
const maxTimedMs = 4_000;
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
    let looksBySelf = false;
    while (!this.stopping) {
      this.woken = false;
      const began = performance.now();
      try {
        const more = (!looksBySelf || (await this.mayHaveWork())) && (await this.options.work());
        looksBySelf = false;
        await this.gather(began);
        if (more || this.woken) continue;
        looksBySelf = await this.rest();
      } catch (error) {
        looksBySelf = false;
        this.options.logger.warn({ err: error }, `${this.options.name} failed and will try again`);
        await this.pause(retryMs);
      }
    }
  }

  private async mayHaveWork(): Promise<boolean> {
    const { mayHaveWork } = this.options;
    return !mayHaveWork || (await mayHaveWork());
  }

  private quietMs(): number {
    const { idleMs, isTimed = false } = this.options;
    const longest = isTimed ? maxTimedMs : maxQuietMs;
    const { quietMs = Math.min(quietTimes * idleMs, longest) } = this.options;
    return Math.max(idleMs, quietMs);
  }

  private async gather(began: number): Promise<void> {
    const { gatherMs = 0 } = this.options;
    const left = began + gatherMs - performance.now();
    if (left > 0 && !this.stopping) await delay(left);
  }

  /**
   * What comes to a quiet process ends its quiet: its loops rest no longer than in any other from then on. True if nothing
   * came.
   */
  private async rest(): Promise<boolean> {
    const { idleMs } = this.options;
    if (!isQuiet()) {
      await this.pause(idleMs);
      return false;
    }
    let ended = false;
    const forget = onNextActivity(() => {
      ended = true;
      this.interrupt?.();
    });
    await this.pause(untilNext(this.quietMs()));
    forget();
    if (ended && !this.woken) await this.pause(idleMs);
    return !ended && !this.woken;
  }

  private async pause(ms: number): Promise<void> {
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

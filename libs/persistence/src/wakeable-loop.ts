import type { Logger } from '@aos/platform';

export interface WakeableLoopOptions {
  readonly name: string;
  /** Does what there is to do; true if there may be more. */
  readonly work: () => Promise<boolean>;
  /** How long to wait when nobody wakes it. */
  readonly idleMs: number;
  readonly logger: Logger;
}

const retryMs = 500;

/** Background work that runs when woken, and once in a while in case nobody did. */
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
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      this.woken = false;
      try {
        if ((await this.options.work()) || this.woken) continue;
        await this.rest(this.options.idleMs);
      } catch (error) {
        this.options.logger.warn({ err: error }, `${this.options.name} failed and will try again`);
        await this.rest(retryMs);
      }
    }
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

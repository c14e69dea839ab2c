import { Logger, ServiceIdentity, Shutdown, type ShutdownPhase } from '@aos/platform';
import { Global, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { WakeableLoop, type WakeableLoopOptions } from './wakeable-loop.js';

export interface BackgroundLoopOptions extends Omit<WakeableLoopOptions, 'logger'> {
  /** When it ends: with the workers, or after them for what they need to the last. */
  readonly until?: Extract<ShutdownPhase, 'drain' | 'close'>;
  /** Whether it cares for what this very process has in hand; else any process of the service may do its work. */
  readonly ofProcess?: boolean;
}

/** The loops of a service's features: they begin when everything is there, and end with the process. */
@Injectable()
export class BackgroundLoops implements OnApplicationBootstrap {
  private readonly begin: (() => void)[] = [];

  constructor(
    private readonly shutdown: Shutdown,
    private readonly logger: Logger,
    private readonly identity: ServiceIdentity,
  ) {}

  /** To be called while the service is put together. */
  add({ until = 'drain', ofProcess = false, ...options }: BackgroundLoopOptions): WakeableLoop {
    // Work that this process holds is watched as closely in a quiet process.
    const watch = ofProcess || until === 'close' ? { quietMs: options.idleMs } : {};
    const loop = new WakeableLoop({ ...watch, ...options, logger: this.logger });
    if (!ofProcess && !this.identity.sharesWork) return loop;
    this.begin.push(() => {
      loop.start();
      this.shutdown.add(until, options.name, () => loop.stop());
    });
    return loop;
  }

  onApplicationBootstrap(): void {
    for (const begin of this.begin) begin();
  }
}

/** The work of a service beside its requests. */
@Global()
@Module({ providers: [BackgroundLoops], exports: [BackgroundLoops] })
export class BackgroundModule {}

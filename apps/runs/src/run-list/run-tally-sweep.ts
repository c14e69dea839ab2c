import { WakeableLoop } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunTallyRepository } from './run-tally.repository.js';

const everyMs = 5_000;
const batchSize = 1_000;

/** Keeps the ledger of ended runs short: rows of one kind become one. */
@Injectable()
export class RunTallySweep implements OnApplicationBootstrap {
  private readonly loop: WakeableLoop;
  /**
   * Where to go on. A row that commits late, behind this, is melted with the next one of its kind; sums are right
   * without that.
   */
  private after = '0';

  constructor(
    @Inject(RunTallyRepository) private readonly tally: RunTallyRepository,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(Logger) logger: Logger,
  ) {
    this.loop = new WakeableLoop({
      name: 'the run ledger',
      idleMs: everyMs,
      logger,
      work: () => this.melt(),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.shutdown.add('drain', 'the run ledger', () => this.loop.stop());
  }

  private async melt(): Promise<boolean> {
    const melted = await this.tally.melt(this.after, batchSize);
    if (!melted?.last) return false;
    this.after = melted.last;
    return melted.looked === batchSize;
  }
}

import { BackgroundLoops } from '@aos/background';
import { Inject, Injectable } from '@nestjs/common';
import { RunTallyRepository } from './run-tally.repository.js';

const everyMs = 5_000;
const batchSize = 1_000;

/** Keeps the ledger of ended runs short: rows of one kind become one. */
@Injectable()
export class RunTallySweep {
  /**
   * Where to go on. A row that commits late, behind this, is melted with the next one of its kind; sums are right
   * without that.
   */
  private after = '0';

  constructor(
    @Inject(RunTallyRepository) private readonly tally: RunTallyRepository,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the run ledger',
      idleMs: everyMs,
      work: () => this.melt(),
    });
  }

  private async melt(): Promise<boolean> {
    const melted = await this.tally.melt(this.after, batchSize);
    if (!melted?.last) return false;
    this.after = melted.last;
    return melted.looked === batchSize;
  }
}

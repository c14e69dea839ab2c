import { BackgroundLoops } from '@aos/background';
import { Injectable } from '@nestjs/common';
import { RunTallyRepository } from './run-tally.repository.js';

const everyMs = 5_000;
const batchSize = 1_000;

/** Keeps the ledger of ended runs short: rows of one kind become one. */
@Injectable()
export class RunTallySweep {
  /**
   * Where to go on. A row that commits late, behind this, is compacted with the next one of its kind; sums are right
   * without that.
   */
  private after = '0';

  constructor(
    private readonly tally: RunTallyRepository,
    loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the run ledger',
      idleMs: everyMs,
      work: () => this.compact(),
    });
  }

  private async compact(): Promise<boolean> {
    const compacted = await this.tally.compact(this.after, batchSize);
    if (!compacted?.last) return false;
    this.after = compacted.last;
    return compacted.looked === batchSize;
  }
}

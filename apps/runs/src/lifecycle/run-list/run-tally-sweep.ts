import { BackgroundLoops } from '@aos/background';
import { DueRows } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunTallyRepository } from './run-tally.repository.js';
import { anyTallyAfter } from './run-tally.sql.js';

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
    dueRows: DueRows,
  ) {
    loops.add({
      name: 'the run ledger',
      idleMs: everyMs,
      mayHaveWork: () => dueRows.any(anyTallyAfter(this.after)),
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

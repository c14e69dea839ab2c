import { BackgroundLoops } from '@aos/background';
import { DueRows, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { anyTallyAfter, compactRunTally } from './run-tally.sql.js';

export interface Compacted {
  /** The last of the rows that were looked at, none if there were none. */
  readonly last: string | null;
  readonly looked: number;
}

@Injectable()
export class RunTallyRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Returns nothing if another replica holds the lock. */
  async compact(after: string, limit: number): Promise<Compacted | undefined> {
    return this.transactions.run(async () => {
      if (!(await this.transactions.tryLock('run_tally'))) return undefined;
      const [compacted] = await this.transactions.query<Compacted>(compactRunTally, [after, limit]);
      return compacted;
    });
  }
}

const everyMs = 5_000;
const batchSize = 1_000;

/** Keeps the ledger of ended runs short: rows of one kind become one. */
@Injectable()
export class RunTallySweep {
  /**
   * The next position. A row that commits later behind it is compacted with the next of its kind; totals are right
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

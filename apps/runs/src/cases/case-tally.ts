import { BackgroundLoops } from '@aos/background';
import { DueRows, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { anyCaseTallyAfter, compactCaseTally } from './cases.sql.js';

const everyMs = 5_000;
const batchSize = 1_000;

/** Keeps the ledger of cases short: rows of one kind become one. */
@Injectable()
export class CaseTallySweep {
  private after = '0';

  constructor(
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
    dueRows: DueRows,
  ) {
    loops.add({
      name: 'the case ledger',
      idleMs: everyMs,
      mayHaveWork: () => dueRows.any(anyCaseTallyAfter(this.after)),
      work: () => this.compact(),
    });
  }

  /** True if there may be more. One replica at a time. */
  private async compact(): Promise<boolean> {
    const compacted = await this.transactions.run(async () => {
      if (!(await this.transactions.tryLock('case_tally'))) return undefined;
      const [row] = await this.transactions.query<{ last: string | null; looked: number }>(compactCaseTally, [
        this.after,
        batchSize,
      ]);
      return row;
    });
    if (!compacted?.last) return false;
    this.after = compacted.last;
    return compacted.looked === batchSize;
  }
}

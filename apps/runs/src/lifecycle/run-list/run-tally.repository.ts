import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { compactRunTally } from './run-tally.sql.js';

export interface Compacted {
  /** The last of the rows that were looked at, none if there were none. */
  readonly last: string | null;
  readonly looked: number;
}

@Injectable()
export class RunTallyRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Nothing if another replica is at it. */
  async compact(after: string, limit: number): Promise<Compacted | undefined> {
    return this.transactions.run(async () => {
      if (!(await this.transactions.tryLock('run_tally'))) return undefined;
      const [compacted] = await this.transactions.query<Compacted>(compactRunTally, [after, limit]);
      return compacted;
    });
  }
}

import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { futureNumbers } from './run-counter.sql.js';
import type { PublicRun } from '../run.mapper.js';

/** Numbers of runs as their callers see them. */
@Injectable()
export class RunNumbers {
  constructor(private readonly transactions: Transactions) {}

  /** The runs of a team; one that has no number yet shows the number that it will get. */
  async complete<R extends PublicRun>(teamId: string, runs: readonly R[]): Promise<R[]> {
    const missing = runs.filter(({ run_number: number }) => number === null).map(({ id }) => id);
    if (missing.length === 0) return [...runs];
    const rows = await this.transactions.query<{ id: string; run_number: number }>(futureNumbers, [
      teamId,
      missing,
    ]);
    const numbers = new Map(rows.map(({ id, run_number: number }) => [id, number]));
    return runs.map((run) => ({ ...run, run_number: run.run_number ?? numbers.get(run.id)! }));
  }
}

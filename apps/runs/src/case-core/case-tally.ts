import { BackgroundLoops } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';

const everyMs = 5_000;
const batchSize = 1_000;

/**
 * $1: after which row, $2: how many rows to look at. What is added is the sum of what was deleted by this very statement,
 * so every snapshot has the same sum, whatever is written beside it. By hand: it works on a set.
 */
const compactRows = `
WITH recent AS MATERIALIZED (SELECT * FROM case_tally WHERE id > $1 ORDER BY id LIMIT $2),
  queues AS (SELECT DISTINCT queue_id FROM recent),
  same AS (
    SELECT tally.id, count(*) OVER same_kind AS rows, sum(tally.cases) OVER same_kind AS cases
      FROM queues JOIN case_tally AS tally USING (queue_id)
     WHERE tally.id <= (SELECT max(id) FROM recent)
    WINDOW same_kind AS (PARTITION BY queue_id, tally.status, tally.rank)),
  gone AS (
    DELETE FROM case_tally USING same
     WHERE case_tally.id = same.id AND (same.rows > 1 OR same.cases = 0) RETURNING case_tally.*),
  compacted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, sum(cases) FROM gone GROUP BY queue_id, status, rank HAVING sum(cases) <> 0)
SELECT max(id) AS last, count(*)::int AS looked FROM recent`;

/** Keeps the ledger of cases short: rows of one kind become one. */
@Injectable()
export class CaseTallySweep {
  private after = '0';

  constructor(
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
  ) {
    loops.add({ name: 'the case ledger', idleMs: everyMs, work: () => this.compact() });
  }

  /** True if there may be more. One replica at a time. */
  private async compact(): Promise<boolean> {
    const compacted = await this.transactions.run(async () => {
      const [lock] = await this.transactions.query<{ mine: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtext('runs.case_tally')) AS mine`,
      );
      if (!lock!.mine) return undefined;
      const [row] = await this.transactions.query<{ last: string | null; looked: number }>(compactRows, [
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

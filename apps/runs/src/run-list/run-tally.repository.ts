import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { tallyKind } from './run-tally.sql.js';

export interface Compacted {
  /** The last of the rows that were looked at, none if there were none. */
  readonly last: string | null;
  readonly looked: number;
}

/**
 * $1: after which row, $2: how many rows to look at. Their kinds are compacted with what lies before them; rows of a
 * kind that stand alone stay. What is added is the sum of what was deleted by this very statement, so every
 * snapshot has the same sum, whatever is written or compacted beside it.
 */
const compactRows = `
WITH recent AS MATERIALIZED (SELECT * FROM run_tally WHERE id > $1 ORDER BY id LIMIT $2),
  kinds AS (SELECT DISTINCT ${tallyKind} FROM recent),
  same AS (
    SELECT tally.id, count(*) OVER same_kind AS rows, sum(tally.runs) OVER same_kind AS runs
      FROM kinds JOIN run_tally AS tally USING (team_id, agent_id, source, status)
     WHERE tally.id <= (SELECT max(id) FROM recent)
       AND tally.user_id IS NOT DISTINCT FROM kinds.user_id
       AND tally.case_queue_id IS NOT DISTINCT FROM kinds.case_queue_id
    WINDOW same_kind AS (PARTITION BY team_id, agent_id, tally.user_id, tally.case_queue_id, source, status)),
  gone AS (
    DELETE FROM run_tally USING same
     WHERE run_tally.id = same.id AND (same.rows > 1 OR same.runs = 0) RETURNING run_tally.*),
  compacted AS (
    INSERT INTO run_tally (${tallyKind}, runs)
    SELECT ${tallyKind}, sum(runs) FROM gone GROUP BY ${tallyKind} HAVING sum(runs) <> 0)
SELECT max(id) AS last, count(*)::int AS looked FROM recent`;

@Injectable()
export class RunTallyRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Nothing if another replica is at it. */
  async compact(after: string, limit: number): Promise<Compacted | undefined> {
    return this.transactions.run(async () => {
      const [lock] = await this.transactions.query<{ mine: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtext('runs.run_tally')) AS mine`,
      );
      if (!lock!.mine) return undefined;
      const [compacted] = await this.transactions.query<Compacted>(compactRows, [after, limit]);
      return compacted;
    });
  }
}

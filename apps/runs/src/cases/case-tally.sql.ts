/** Whether there is any row behind one. `after` is a number of ours. */
export function anyCaseTallyAfter(after: string): string {
  return `SELECT FROM case_tally WHERE id > ${after}`;
}

/**
 * $1: after which row, $2: how many rows to look at. What is added is the sum of what was deleted by this very statement,
 * so every snapshot has the same sum, whatever is written beside it. By hand: it works on a set.
 */
export const compactCaseTally = `
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

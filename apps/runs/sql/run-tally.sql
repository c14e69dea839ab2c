-- Written by `npm run sql`; do not edit.

-- anyTallyAfter (src/lifecycle/run-list/run-tally.sql.ts)
SELECT FROM run_tally WHERE id > 7;

-- compactRunTally (src/lifecycle/run-list/run-tally.sql.ts)
WITH recent AS MATERIALIZED (SELECT * FROM run_tally WHERE id > $1 ORDER BY id LIMIT $2),
  kinds AS (SELECT DISTINCT team_id, agent_id, user_id, case_queue_id, source, status FROM recent),
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
    INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
    SELECT team_id, agent_id, user_id, case_queue_id, source, status, sum(runs) FROM gone GROUP BY team_id, agent_id, user_id, case_queue_id, source, status HAVING sum(runs) <> 0)
SELECT max(id) AS last, count(*)::int AS looked FROM recent;

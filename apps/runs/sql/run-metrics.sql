-- Written by `npm run sql`; do not edit.

-- maxWait (src/capacity/run-metrics/run-metrics.sql.ts)
  WITH RECURSIVE team AS (
    (SELECT run.team_id FROM run WHERE run.status IN ('pending', 'running') ORDER BY run.team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT run.team_id FROM run WHERE run.status IN ('pending', 'running') AND run.team_id > team.team_id ORDER BY run.team_id LIMIT 1)
      FROM team WHERE team.team_id IS NOT NULL)
  SELECT coalesce(max(extract(epoch FROM now() - first.queued_at)), 0)::float8 AS seconds
    FROM team CROSS JOIN LATERAL (
      SELECT run.queued_at FROM run WHERE run.team_id = team.team_id AND run.status IN ('pending', 'running') AND (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now())))
         AND run.queued_at <= now()
       ORDER BY run.queued_at LIMIT 1) AS first;

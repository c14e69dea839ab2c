-- Written by `npm run sql`; do not edit.

-- leftSubRuns (src/lifecycle/sub-runs/sub-runs.sql.ts)
SELECT run.id, run.team_id FROM run JOIN run AS parent ON parent.id = run.parent_run_id
 WHERE run.parent_run_id IS NOT NULL AND run.status IN ('pending', 'running', 'waiting')
   AND parent.status IN ('failed', 'stopped') AND run.reopened = 0 AND run.id <> ALL ($2::uuid[])
 LIMIT $1;

-- Written by `npm run sql`; do not edit.

-- anyStartDue (src/lifecycle/scheduled-starts/scheduled-starts.sql.ts)
SELECT FROM scheduled_start WHERE next_attempt_at <= now();

-- takeDueStarts (src/lifecycle/scheduled-starts/scheduled-starts.sql.ts)
UPDATE scheduled_start SET attempts = attempts + 1, next_attempt_at = now() + $2 * interval '1 ms'
 WHERE run_id IN (SELECT run_id FROM scheduled_start WHERE next_attempt_at <= now()
                   ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING *;

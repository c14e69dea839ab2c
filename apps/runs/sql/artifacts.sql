-- Written by `npm run sql`; do not edit.

-- anyArtifactDue (src/artifacts/artifacts.sql.ts)
SELECT FROM artifact WHERE next_refresh_at <= now();

-- takeDueArtifacts (src/artifacts/artifacts.sql.ts)
  SELECT *, now() AS looked_at FROM artifact WHERE next_refresh_at <= now() ORDER BY next_refresh_at LIMIT $1 FOR UPDATE SKIP LOCKED;

-- renewArtifact (src/artifacts/artifacts.sql.ts)
  UPDATE artifact SET lease_until = now() + $3 * interval '1 ms'
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *;

-- askForArtifact (src/artifacts/artifacts.sql.ts)
  UPDATE artifact SET status = $3, lease_token = NULL, lease_until = NULL, attempts = 0, updated_at = now(), pending_user_questions = $4
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *;

-- completeArtifact (src/artifacts/artifacts.sql.ts)
  UPDATE artifact SET status = $3, lease_token = NULL, lease_until = NULL, attempts = 0, updated_at = now(), current_version = coalesce(current_version, 0) + 1, title = coalesce(title, $4),
      error = NULL, failed_refreshes = 0,
      last_refresh_at = CASE request WHEN 'refresh' THEN now() ELSE last_refresh_at END
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *;

-- failArtifact (src/artifacts/artifacts.sql.ts)
  UPDATE artifact SET status = $3, lease_token = NULL, lease_until = NULL, attempts = 0, updated_at = now(), error = $4,
      failed_refreshes = failed_refreshes + CASE WHEN is_scheduled THEN 1 ELSE 0 END
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *;

-- handBackArtifact (src/artifacts/artifacts.sql.ts)
  UPDATE artifact SET lease_token = NULL, lease_until = NULL, attempts = attempts - 1
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *;

-- restArtifact (src/artifacts/artifacts.sql.ts)
  UPDATE artifact SET lease_token = NULL, lease_until = now() + $3 * interval '1 ms'
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *;

-- anyUnclaimed (src/artifacts/artifacts.sql.ts)
SELECT FROM artifact
     WHERE status IN ('pending', 'running') AND (lease_until IS NULL OR lease_until <= now());

-- unclaimedArtifacts (src/artifacts/artifacts.sql.ts)
  SELECT id, job_id FROM (
    SELECT id, job_id, row_number() OVER (PARTITION BY team_id ORDER BY updated_at, id) AS place FROM artifact
     WHERE status IN ('pending', 'running') AND (lease_until IS NULL OR lease_until <= now())) AS unclaimed
   WHERE id > $1 AND place <= $3
   ORDER BY id LIMIT $2;

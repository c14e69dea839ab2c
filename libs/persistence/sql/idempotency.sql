-- Written by `npm run sql`; do not edit.

-- insertKeyRecords (src/idempotency/idempotency.sql.ts)
INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
    SELECT scope, operation_id, fingerprint, answer_status, answer_body, now() + interval '24 hours'
      FROM jsonb_to_recordset($1::jsonb) AS wanted(scope text, operation_id text, fingerprint text, answer_status smallint, answer_body text) WHERE scope IS NOT NULL
    ON CONFLICT (scope) DO UPDATE SET operation_id = excluded.operation_id, fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, lease_token = NULL, lease_until = NULL,
      expires_at = excluded.expires_at
      WHERE idempotency_record.expires_at <= now()
    RETURNING scope;

-- storeAnswer (src/idempotency/idempotency.sql.ts)
INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
VALUES ($1, $2, $3, $4, $5, now() + interval '24 hours')
ON CONFLICT (scope) DO UPDATE SET operation_id = $2, fingerprint = $3, status = $4, body = $5,
  lease_token = NULL, lease_until = NULL, expires_at = excluded.expires_at;

-- leaseKey (src/idempotency/idempotency.sql.ts)
INSERT INTO idempotency_record (scope, operation_id, fingerprint, lease_token, lease_until, expires_at)
VALUES ($1, $2, $3, $4, now() + interval '60 seconds', now() + interval '24 hours')
ON CONFLICT (scope) DO UPDATE SET operation_id = $2, fingerprint = $3, status = NULL, body = NULL,
  lease_token = $4, lease_until = excluded.lease_until, expires_at = excluded.expires_at;

-- pruneRecords (src/idempotency/idempotency.sql.ts)
WITH gone AS (DELETE FROM idempotency_record WHERE scope IN (
  SELECT scope FROM idempotency_record WHERE expires_at <= now() LIMIT 1000)
  AND expires_at <= now() RETURNING 1)
SELECT count(*) FROM gone;

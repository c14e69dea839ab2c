// By hand, all of them: each mutation of a client reads and writes them, in its own transaction.

const keptFor = '24 hours';
const leaseFor = '60 seconds';
const pruneBatch = 1_000;

/** $1: the scope. */
export const selectRecord = `
SELECT fingerprint, status, body, coalesce(lease_until > now(), false) AS leased
  FROM idempotency_record WHERE scope = $1 AND expires_at > now()`;

/** The columns of such rows, for `jsonb_to_recordset`. */
export const keyRecordColumns =
  'scope text, operation_id text, fingerprint text, answer_status smallint, answer_body text';

/**
 * Stores the records of many requests and returns the scopes that were free. Another request that stores one of them waits
 * for this transaction and then finds it taken. No two rows may have the same scope.
 */
export function keyRecordsInsert(source: string): string {
  return `INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
    SELECT scope, operation_id, fingerprint, answer_status, answer_body, now() + interval '${keptFor}'
      FROM ${source} WHERE scope IS NOT NULL
    ON CONFLICT (scope) DO UPDATE SET operation_id = excluded.operation_id, fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, lease_token = NULL, lease_until = NULL,
      expires_at = excluded.expires_at
      WHERE idempotency_record.expires_at <= now()
    RETURNING scope`;
}

/** $1: an array of records. */
export const insertKeyRecords = keyRecordsInsert(
  `jsonb_to_recordset($1::jsonb) AS wanted(${keyRecordColumns})`,
);

/** $1: scope, $2: operation, $3: fingerprint, $4: status, $5: body. */
export const storeAnswer = `
INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
VALUES ($1, $2, $3, $4, $5, now() + interval '${keptFor}')
ON CONFLICT (scope) DO UPDATE SET operation_id = $2, fingerprint = $3, status = $4, body = $5,
  lease_token = NULL, lease_until = NULL, expires_at = excluded.expires_at`;

/** $1: scope, $2: operation, $3: fingerprint, $4: the token. */
export const leaseKey = `
INSERT INTO idempotency_record (scope, operation_id, fingerprint, lease_token, lease_until, expires_at)
VALUES ($1, $2, $3, $4, now() + interval '${leaseFor}', now() + interval '${keptFor}')
ON CONFLICT (scope) DO UPDATE SET operation_id = $2, fingerprint = $3, status = NULL, body = NULL,
  lease_token = $4, lease_until = excluded.lease_until, expires_at = excluded.expires_at`;

/** $1: the scope, $2: the token. */
export const leasedKey = 'SELECT 1 FROM idempotency_record WHERE scope = $1 AND lease_token = $2';

/** $1: the scope, $2: the token. */
export const releaseKey = 'DELETE FROM idempotency_record WHERE scope = $1 AND lease_token = $2';

/** $1: a number that stands for the scope. */
export const lockKey = 'SELECT pg_advisory_xact_lock($1)';

/** $1: a number that stands for the scope. */
export const tryLockKey = 'SELECT pg_try_advisory_xact_lock($1) AS locked';

export const pruneRecords = `
WITH gone AS (DELETE FROM idempotency_record WHERE scope IN (
  SELECT scope FROM idempotency_record WHERE expires_at <= now() LIMIT ${pruneBatch})
  AND expires_at <= now() RETURNING 1)
SELECT count(*) FROM gone`;

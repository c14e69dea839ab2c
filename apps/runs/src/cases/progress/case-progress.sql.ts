/** $1: the scope of the key, $2: the fingerprint, $3: where it begins, $4: a token. By hand: two may come at once. */
export const noteProgress = `
INSERT INTO case_progress (scope, fingerprint, state, lease_token, lease_until, updated_at)
VALUES ($1, $2, $3, $4, now() - interval '1 second', now()) ON CONFLICT (scope) DO NOTHING`;

/** $1: the scope. By hand: Postgres tells whether the lease is over. */
export const lockProgress = `
SELECT fingerprint, state, lease_until > now() AS leased FROM case_progress WHERE scope = $1 FOR UPDATE`;

/** $1: the scope. By hand: the record is of the library that answers repeated requests. */
export const answeredKey = `
SELECT 1 FROM idempotency_record WHERE scope = $1 AND status IS NOT NULL AND expires_at > now()`;

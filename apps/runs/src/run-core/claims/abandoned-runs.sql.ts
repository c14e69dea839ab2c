import { endColumns, listed } from '../run-columns.js';
import { releaseRow } from '../run-row.sql.js';

/**
 * Takes expired leases away, many in one statement. $1: how many at most, $2: how long a lease lasts in milliseconds,
 * $3: how long a run waits in milliseconds, by how many workers it has lost. A lease that could not be renewed because
 * Postgres itself was away does not count: it ran out less than a lease after Postgres began.
 */
export const releaseAbandoned = `
WITH expired AS MATERIALIZED (
  SELECT id, least(cardinality($3::bigint[]) - 1,
           takeovers + CASE WHEN lease_until > pg_postmaster_start_time() + $2::bigint * interval '1 ms'
                            THEN 1 ELSE 0 END) AS takeovers
    FROM run WHERE lease_token IS NOT NULL AND status = 'running' AND lease_until <= now()
   ORDER BY id LIMIT $1
     FOR UPDATE SKIP LOCKED)${releaseRow}
 WHERE run.id = expired.id
RETURNING ${listed(endColumns, 'run')}, run.takeovers`;

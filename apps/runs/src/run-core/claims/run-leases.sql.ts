import { claimable } from './run-claims.sql.js';
import { deferRow, renewRow } from '../run-row.sql.js';
import { suspectAfter } from './takeovers.js';

const isValid = `run.id = lease.id AND run.lease_token = lease.token AND run.status = 'running'`;

/**
 * Moves the ends of many leases. $1: runs, $2: tokens, $3: milliseconds. Rows are locked in the order of their ids, as by
 * changes of runs: neither waits for the other while it is waited for. By hand: a set, at each heartbeat of a worker.
 */
export const renewLeases = `
WITH held AS MATERIALIZED (
  SELECT run.id, lease.token FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS lease(id, token) ON ${isValid}
   ORDER BY run.id
     FOR NO KEY UPDATE OF run)
${renewRow}
  FROM held WHERE run.id = held.id RETURNING held.token`;

/** Which of many leases are valid. $1: runs, $2: tokens. By hand: a set. */
export const checkLeases = `
SELECT lease.token FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS lease(id, token) ON ${isValid}`;

/** Compare-and-set on the lease. $1: run, $2: token, $3: milliseconds. */
export const deferRun = `
${deferRow}
 WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING id`;

/** The oldest run that loses its workers and may be tried again. By hand: it is to be read from its index, all teams at once. */
export const dueSuspect = `
SELECT id FROM run WHERE takeovers >= ${suspectAfter} AND status = 'running' AND queued_at <= now() AND ${claimable}
 ORDER BY queued_at LIMIT 1`;

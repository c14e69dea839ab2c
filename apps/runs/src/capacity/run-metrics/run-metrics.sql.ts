import { claimable } from '../../run-core/claims/run-claims.sql.js';

/** By hand: a bounded look into an index. $1: how many of each are counted at most. */
export const countOpenRuns = `
  SELECT status, (SELECT count(*) FROM (
           SELECT FROM run WHERE run.status = wanted.status AND run.status IN ('pending', 'running', 'waiting')
            LIMIT $1) AS counted) AS runs
    FROM unnest(ARRAY['pending', 'running', 'waiting']) AS wanted(status)`;

const open = `run.status IN ('pending', 'running')`;

/**
 * How long the run waits that has waited longest for a worker. By hand, for it steps from team to team in the index: it
 * costs as much with twenty thousand waiting runs as with one.
 */
export const maxWait = `
  WITH RECURSIVE team AS (
    (SELECT run.team_id FROM run WHERE ${open} ORDER BY run.team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT run.team_id FROM run WHERE ${open} AND run.team_id > team.team_id ORDER BY run.team_id LIMIT 1)
      FROM team WHERE team.team_id IS NOT NULL)
  SELECT coalesce(max(extract(epoch FROM now() - first.queued_at)), 0)::float8 AS seconds
    FROM team CROSS JOIN LATERAL (
      SELECT run.queued_at FROM run WHERE run.team_id = team.team_id AND ${open} AND ${claimable}
         AND run.queued_at <= now()
       ORDER BY run.queued_at LIMIT 1) AS first`;

import { forgottenAnswers } from '../deliveries/forgotten-answers.sql.js';
import { emptiedEvents } from '../feed/emptied-events.sql.js';

/** A set, with each batch of events. $1: runs, $2: the team of each. */
export const noteDeletedRuns = `
  INSERT INTO deleted_run (run_id, team_id, deleted_at, due_at, after_position)
  SELECT run_id, team_id, now(), now(), 0 FROM unnest($1::uuid[], $2::uuid[]) AS gone(run_id, team_id)
  ON CONFLICT (run_id) DO NOTHING`;

/** Whether there is any whose events are to be looked at. */
export const anyDeletedRun = 'SELECT FROM deleted_run WHERE due_at <= now()';

/**
 * A queue, and a set of its events. The first look is at once; a second one half a minute later finds what was being stored
 * or sent at that time. $1: how many runs, $2: how many events of each, $3: the names of events. Tells whether there is more.
 */
export const emptyDeletedRuns = `
WITH chosen AS MATERIALIZED (
    SELECT run_id, team_id, after_position FROM deleted_run WHERE due_at <= now()
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  ${emptiedEvents},
  ${forgottenAnswers},
  looked AS (
    SELECT chosen.run_id, count(page.position) = $2 AS more, max(page.position) AS last
      FROM chosen LEFT JOIN page USING (run_id) GROUP BY chosen.run_id),
  moved AS (
    UPDATE deleted_run d
       SET after_position = CASE WHEN more THEN last ELSE 0 END,
           due_at = CASE WHEN more THEN d.due_at
                         WHEN d.deleted_at > now() - interval '30 seconds' THEN now() + interval '30 seconds' END
      FROM looked WHERE d.run_id = looked.run_id)
SELECT count(*) = $1 OR COALESCE(bool_or(more), false) AS more FROM looked`;

/** It is known for as long as events may come late: those are set aside for as long. $1: days, $2: how many. */
export const pruneDeletedRuns = `
  WITH gone AS (
    DELETE FROM deleted_run WHERE run_id IN (
      SELECT run_id FROM deleted_run WHERE deleted_at < now() - make_interval(days => $1 + 1)
       ORDER BY deleted_at LIMIT $2) RETURNING 1)
  SELECT count(*) FROM gone`;

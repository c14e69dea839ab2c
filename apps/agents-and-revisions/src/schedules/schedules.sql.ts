/**
 * Due schedules of all teams, the longest due first, with the clock of Postgres. $1: limit. Runs every second, so SQL.
 */
export const dueSchedules = `
  SELECT *, now() AS looked_at FROM schedule WHERE enabled AND next_run_at <= now() ORDER BY next_run_at LIMIT $1`;

/** Schedules of all teams. $1: within how many milliseconds. */
export const hasScheduleSoon = `
  SELECT EXISTS (
    SELECT 1 FROM schedule WHERE enabled AND next_run_at <= now() + $1::int * interval '1 ms') AS soon`;

/**
 * A set: the schedules that fire together. Moves those on that are as they were read and that no other worker has just
 * now; one with a fault is switched off. $1: an array of planned runs.
 */
export const takeDueSchedules = `
  WITH fired AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS f(
      id uuid, due_at timestamptz(3), updated_at timestamptz(3), run_id uuid, next_run_at timestamptz(3), fault text)),
  locked AS (
    SELECT s.id FROM schedule s JOIN fired ON fired.id = s.id
     WHERE s.enabled AND s.next_run_at = fired.due_at AND s.updated_at = fired.updated_at
     ORDER BY s.id FOR UPDATE OF s SKIP LOCKED)
  UPDATE schedule s SET next_run_at = fired.next_run_at, enabled = fired.next_run_at IS NOT NULL,
         last_run_at = now(), last_run_id = fired.run_id,
         auto_disabled_at = CASE WHEN fired.fault IS NOT NULL THEN now() ELSE s.auto_disabled_at END,
         auto_disabled_reason = COALESCE(fired.fault, s.auto_disabled_reason)
    FROM locked JOIN fired USING (id) WHERE s.id = locked.id RETURNING s.id`;

/** One statement, since runs of a schedule may end at the same time. $1: schedule, $2: failures at most, $3: the reason. */
export const noteFailedRun = `
  UPDATE schedule SET failed_runs = failed_runs + 1,
         enabled = enabled AND failed_runs + 1 < $2,
         next_run_at = CASE WHEN failed_runs + 1 < $2 THEN next_run_at END,
         auto_disabled_at = CASE WHEN enabled AND failed_runs + 1 >= $2 THEN now()
                                 ELSE auto_disabled_at END,
         auto_disabled_reason = CASE WHEN enabled AND failed_runs + 1 >= $2
                                     THEN $2::int || ' firings in a row have failed; the last: ' || $3
                                     ELSE auto_disabled_reason END,
         updated_at = now()
   WHERE id = $1`;

/** A set: the enabled schedules of a team, by agent. $1: team. */
export const maxEnabledSchedules = `
  SELECT count(*)::int AS most FROM schedule WHERE team_id = $1 AND enabled GROUP BY agent_id ORDER BY 1 DESC LIMIT 1`;

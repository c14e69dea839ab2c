import { endedRunStatuses } from '@aos/contracts';

const ended = endedRunStatuses.map((status) => `'${status}'`).join(', ');

/**
 * Deletes runs that have ended, with everything that belongs to them. $1: their ids. By hand, for it works on a set over
 * eleven tables. Their own sandboxes expire: the sweep takes the files, unless another run uses them. Gives their number.
 */
export const deleteEndedRuns = `
WITH gone AS (
  DELETE FROM run WHERE id = ANY ($1::uuid[]) AND status IN (${ended})
  RETURNING id, team_id, agent_id, user_id, case_queue_id, source, status),
  messages AS (DELETE FROM run_message USING gone WHERE run_message.run_id = gone.id),
  steps AS (DELETE FROM run_step USING gone WHERE run_step.run_id = gone.id),
  events AS (DELETE FROM run_event USING gone WHERE run_event.run_id = gone.id),
  requests AS (DELETE FROM human_request USING gone WHERE human_request.run_id = gone.id),
  titles AS (DELETE FROM run_title USING gone WHERE run_title.run_id = gone.id),
  evaluations AS (DELETE FROM run_evaluation USING gone WHERE run_evaluation.run_id = gone.id),
  screenshots AS (DELETE FROM screenshot USING gone WHERE screenshot.run_id = gone.id),
  sessions AS (DELETE FROM browser_session USING gone WHERE browser_session.run_id = gone.id RETURNING browser_session.id),
  pages AS (DELETE FROM browser_page USING sessions WHERE browser_page.session_id = sessions.id),
  sandboxes AS (UPDATE sandbox SET expires_at = now() FROM gone WHERE sandbox.id = gone.id),
  children AS (
    UPDATE run SET parent_run_id = NULL, parent_call_id = NULL FROM gone
     WHERE run.parent_run_id = gone.id AND run.id <> ALL ($1::uuid[])),
  counted AS (
    INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
    SELECT team_id, agent_id, user_id, case_queue_id, source, status, -count(*) FROM gone
     GROUP BY team_id, agent_id, user_id, case_queue_id, source, status)
SELECT count(*)::int AS deleted FROM gone`;

/**
 * The oldest runs that ended more than $2 days ago, at most $3 and with $4 messages together. $1: an id of that time;
 * ids are in order of time, so the primary key is walked from its beginning and no other index is needed.
 */
export const oldEndedRuns = `
SELECT id FROM (
  SELECT id, row_number() OVER (ORDER BY id) AS place, sum(message_seq) OVER (ORDER BY id) AS messages
    FROM (SELECT id, message_seq FROM run
           WHERE id < $1::uuid AND status IN (${ended}) AND completed_at < now() - $2 * interval '1 day'
           ORDER BY id LIMIT $3) AS old) AS summed
 WHERE place = 1 OR messages <= $4`;

/**
 * Part of a statement: forgets what receivers answered to the events of `page` (id, run_id, team_id), for an answer may
 * repeat what was sent.
 */
export const forgottenAnswers = `
  forgotten AS (
    UPDATE delivery_attempt a SET response_body = NULL
      FROM (SELECT id, run_id AS target_id FROM page
            UNION ALL
            SELECT page.id, s.id FROM page JOIN webhook_subscription s ON s.team_id = page.team_id) AS sent
     WHERE a.target_id = sent.target_id AND a.event_id = sent.id AND a.response_body IS NOT NULL)`;

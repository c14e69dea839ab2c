import { caseCompleted } from '@aos/contracts';
import { caseFacts } from './cases.sql.js';

/**
 * Settles the case that a run has claimed. $1: the case, $2: completed or failed, $3: the run, $4: an id for the event, $5: one
 * for the log, $6: why, $7: what the log keeps beside the event. The case is locked; one statement for all its tables.
 */
export const settleClaimed = `
WITH settled AS (
  UPDATE queue_case SET status = $2::text, completed_at = now(), pending_human_request_id = NULL, updated_at = now()
   WHERE id = $1
  RETURNING *),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT $4::uuid, id, $2::text, jsonb_build_object('type', 'run', 'id', $3::uuid), $6::text, now() FROM settled),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, moved.status, rank, moved.cases
      FROM settled CROSS JOIN (VALUES ('pending', -1), ($2::text, 1)) AS moved(status, cases)),
  published AS (
    INSERT INTO outbox_event (id, event, team_id, data, meta, created_at)
    SELECT $5::uuid, '${caseCompleted.name}', team_id, ${caseFacts('settled', 'status', '$3::uuid')}, $7::jsonb, now()
      FROM settled)
SELECT id FROM settled`;

/** Lets go of the case that a run has claimed, until a moment. $1: the case, $2: the moment. */
export const postponeClaimed = `
UPDATE queue_case SET claimed_by_run_id = NULL, claimed_at = NULL, pending_human_request_id = NULL,
       postponed_to = $2::timestamptz, updated_at = now() WHERE id = $1`;

/** Moves the case that a run has claimed to another queue, where it is pending. $1: the case, $2: the queue. */
export const handOverClaimed = `
WITH old AS MATERIALIZED (SELECT id, queue_id, rank FROM queue_case WHERE id = $1),
  moved AS (
    UPDATE queue_case SET queue_id = $2::uuid, claimed_by_run_id = NULL, claimed_at = NULL,
           pending_human_request_id = NULL, updated_at = now() WHERE id = $1),
  texts AS (UPDATE case_text SET queue_id = $2::uuid WHERE case_id = $1)
INSERT INTO case_tally (queue_id, status, rank, cases)
SELECT counted.queue_id, 'pending', old.rank, counted.cases
  FROM old CROSS JOIN LATERAL (VALUES (old.queue_id, -1), ($2::uuid, 1)) AS counted(queue_id, cases)`;

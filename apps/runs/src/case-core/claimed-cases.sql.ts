import { caseCompleted } from '@aos/contracts';
import { recordedEvents } from '@aos/events';
import { caseFacts } from './cases.sql.js';

/**
 * Settles cases that runs have claimed, as a part of a statement: all their tables at once. Those to be settled are the rows
 * of `held`, locked: `case_id`, `run_id`, `to_status` (completed or failed), `reason`, `event_id`, `outbox_id` and what the
 * log keeps beside the event (`meta`).
 */
export const settledClaims = `settled AS (
    UPDATE queue_case SET status = held.to_status, completed_at = now(), pending_human_request_id = NULL, updated_at = now()
      FROM held WHERE queue_case.id = held.case_id
    RETURNING queue_case.*, held.run_id, held.reason, held.event_id, held.outbox_id, held.meta),
  settled_events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT event_id, id, status, jsonb_build_object('type', 'run', 'id', run_id), reason, now() FROM settled),
  settled_counts AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, moved.status, rank, sum(moved.cases)
      FROM settled CROSS JOIN LATERAL (VALUES ('pending', -1), (settled.status, 1)) AS moved(status, cases)
     GROUP BY queue_id, moved.status, rank),
  ${recordedEvents('settled_published', {
    from: 'settled',
    order: 'outbox_id',
    id: 'outbox_id',
    event: `'${caseCompleted.name}'`,
    teamId: 'team_id',
    data: caseFacts('settled', 'status', 'run_id'),
    meta: 'meta',
    at: 'now()',
  })}`;

/**
 * Settles the case that a run has claimed, which is locked. $1: the case, $2: completed or failed, $3: the run, $4: an id for
 * the event, $5: one for the log, $6: why, $7: what the log keeps beside the event.
 */
export const settleClaimed = `
WITH held AS (
  SELECT $1::uuid AS case_id, $2::text AS to_status, $3::uuid AS run_id, $4::uuid AS event_id, $5::uuid AS outbox_id,
         $6::text AS reason, $7::jsonb AS meta),
  ${settledClaims}
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

import { caseCompleted, endedRunStatuses, hasEnded } from '@aos/contracts';
import { recordedEvents } from '@aos/events';
import { newId } from '@aos/persistence';
import { recordedTraceparent } from '@aos/platform';
import type { RunChange } from '../run-core/changes/run-change.js';
import type { RunChangePart, RunStartPart } from '../run-core/changes/statement-parts.js';
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

const ended = endedRunStatuses.map((status) => `'${status}'`).join(', ');

/** A run takes its case in the statement that makes the run: by hand, for it is a part of that statement. */
export const claimedCases: RunStartPart = {
  concerns: (run) => run.case !== undefined,
  columns: [['case_event_id', 'uuid']],
  values: ({ case_id: caseId }) => (caseId === null ? {} : { case_event_id: newId() }),
  sql: `claimed_cases AS (
    UPDATE queue_case SET claimed_by_run_id = changed.run_id, claimed_at = changed.at, postponed_to = NULL,
           reserved_agent_id = NULL, updated_at = greatest(changed.at, queue_case.updated_at)
      FROM changed WHERE queue_case.id = changed.case_id),
  claim_events AS (
    INSERT INTO case_event (id, case_id, type, actor, created_at)
    SELECT case_event_id, case_id, 'claimed', jsonb_build_object('type', 'run', 'id', run_id), at
      FROM changed WHERE case_id IS NOT NULL)`,
};

/**
 * Updates the case in the statement that changes its run: shows the run's pending request, and fails the case of a run
 * that ends without settling it.
 */
export const settledCases: RunChangePart = {
  concerns: ({ isCaseless }) => !isCaseless,
  columns: [
    ['case_event_id', 'uuid'],
    ['case_outbox_id', 'uuid'],
    ['case_reason', 'text'],
    ['case_meta', 'jsonb'],
    ['case_request_id', 'uuid'],
  ],
  values: (change) => ({
    case_request_id: (change.humanRequest as { id: string } | undefined)?.id,
    ...(hasEnded(change.status)
      ? {
          case_event_id: newId(),
          case_outbox_id: newId(),
          case_reason: reasonOf(change),
          case_meta: { traceparent: recordedTraceparent() },
        }
      : {}),
  }),
  sql: `followed_cases AS (
    UPDATE queue_case SET
           status = CASE WHEN changed.status IN (${ended}) THEN 'failed' ELSE 'pending' END,
           completed_at = CASE WHEN changed.status IN (${ended}) THEN changed.at END,
           pending_human_request_id = CASE WHEN changed.status = 'waiting'
             THEN coalesce(changed.case_request_id, queue_case.pending_human_request_id) END,
           updated_at = greatest(changed.at, queue_case.updated_at)
      FROM changed
     WHERE changed.case_id IS NOT NULL AND queue_case.id = changed.case_id
       AND queue_case.claimed_by_run_id = changed.run_id AND queue_case.status = 'pending'
       AND (changed.status IN (${ended}) OR changed.case_request_id IS NOT NULL
            OR (changed.status <> 'waiting' AND queue_case.pending_human_request_id IS NOT NULL))
    RETURNING queue_case.*, changed.at, changed.run_id, changed.case_event_id, changed.case_outbox_id,
              changed.case_reason, changed.case_meta),
  left_cases AS (SELECT * FROM followed_cases WHERE status = 'failed'),
  left_case_events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT case_event_id, id, 'failed', jsonb_build_object('type', 'run', 'id', run_id), case_reason, at
      FROM left_cases),
  left_case_counts AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, kept.status, rank, sum(kept.cases)
      FROM left_cases CROSS JOIN (VALUES ('pending', -1), ('failed', 1)) AS kept(status, cases)
     GROUP BY queue_id, kept.status, rank),
  ${recordedEvents('left_case_published', {
    from: 'left_cases',
    order: 'case_outbox_id',
    id: 'case_outbox_id',
    event: `'${caseCompleted.name}'`,
    teamId: 'team_id',
    data: caseFacts('left_cases', 'status', 'run_id'),
    meta: 'case_meta',
    at: 'at',
  })}`,
};

function reasonOf({ status, error, stopReason }: RunChange): string {
  if (status === 'completed') return 'The run ended without settling the case.';
  if (status === 'failed') return error?.message ?? 'The run failed.';
  return `The run was stopped (${stopReason ?? 'requested'}).`;
}

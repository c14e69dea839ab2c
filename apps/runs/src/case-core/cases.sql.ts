import { caseCompleted, caseCreated } from '@aos/contracts';
import { recordedEvents } from '@aos/events';
import { columnsOf } from '@aos/persistence';
import { CaseEntity } from './case.entities.js';

/** The labels of a case, as a column of a query over `queue_case AS shown`. */
export const labelsColumn = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', label.id, 'key', label.key, 'value', label.value, 'hue', label.hue)
                            ORDER BY label.key, label.value), '[]')
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = shown.id) AS labels`;

/** What the log tells of a case. `row` names what gives the case; `status` and `run` are expressions. */
export function caseFacts(row: string, status: string, run = 'NULL::uuid'): string {
  return `jsonb_strip_nulls(jsonb_build_object('case_id', ${row}.id, 'queue_id', ${row}.queue_id,
    'title', ${row}.title, 'status', ${status}, 'run_id', ${run}))`;
}

/**
 * Puts cases into a queue with all that belongs to them: a set, in one statement. $1: the cases, $2: the team, $3: the
 * queue, $4: who does it, $5: what the log keeps beside the event, $6: when. Labels are there already.
 */
export const insertCases = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(n int, id uuid, title text, data jsonb, text text, rank smallint,
    postponed_to timestamptz(3), event_id uuid, outbox_id uuid, label_ids uuid[])),
  made AS (
    INSERT INTO queue_case (id, team_id, queue_id, title, data, status, rank, postponed_to, created_at, updated_at)
    SELECT id, $2, $3, title, coalesce(data, 'null'), 'pending', rank, postponed_to, $6::timestamptz, $6::timestamptz
      FROM input
    RETURNING ${columnsOf(CaseEntity)}),
  texts AS (INSERT INTO case_text (case_id, queue_id, text) SELECT id, $3, text FROM input),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, created_at)
    SELECT event_id, id, 'created', $4::jsonb, $6::timestamptz FROM input),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT $3, 'pending', rank, count(*) FROM input GROUP BY rank),
  linked AS (
    INSERT INTO case_label_link (case_id, label_id)
    SELECT DISTINCT input.id, label_id FROM input CROSS JOIN LATERAL unnest(label_ids) AS label_id),
  ${recordedEvents('published', {
    from: 'made JOIN input USING (id)',
    order: 'input.n',
    id: 'input.outbox_id',
    event: `'${caseCreated.name}'`,
    teamId: '$2::uuid',
    data: caseFacts('made', `'pending'`),
    meta: '$5::jsonb',
    at: '$6::timestamptz',
  })}
SELECT ${columnsOf(CaseEntity, 'made')} FROM made JOIN input USING (id) ORDER BY input.n`;

/**
 * Moves cases of a queue to a status: a set, in one statement. $1: the queue, $2: their ids, $3: the status, $4: ids for
 * the events, $5: ids for the log, $6: the type of the event, $7: who does it, $8: why, $9: what the log keeps beside the
 * event, $10: when, $11: the agent that they are for, or null. Cases that are so already, and that no run works on, are left alone. Gives what was moved, and which
 * run worked on it. Runs are locked before.
 */
export const moveCases = `
WITH input AS MATERIALIZED (
  SELECT * FROM unnest($2::uuid[], $4::uuid[], $5::uuid[]) AS i(id, event_id, outbox_id)),
  wanted AS MATERIALIZED (
    SELECT ${columnsOf(CaseEntity, 'queue_case')}, input.event_id, input.outbox_id FROM queue_case JOIN input USING (id)
     WHERE queue_case.queue_id = $1
       AND NOT (queue_case.status = $3::text AND (queue_case.status <> 'pending'
                OR (queue_case.claimed_by_run_id IS NULL AND queue_case.postponed_to IS NULL
                    AND queue_case.reserved_agent_id IS NOT DISTINCT FROM $11::uuid)))
     ORDER BY queue_case.id
       FOR UPDATE OF queue_case),
  moved AS (
    UPDATE queue_case SET status = $3::text, claimed_by_run_id = NULL, claimed_at = NULL, postponed_to = NULL,
           pending_human_request_id = NULL, reserved_agent_id = $11::uuid, updated_at = $10::timestamptz,
           completed_at = CASE WHEN $3::text = 'pending' THEN NULL ELSE $10::timestamptz END
      FROM wanted WHERE queue_case.id = wanted.id),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT event_id, id, $6::text, $7::jsonb, $8::text, $10::timestamptz FROM wanted),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, -count(*) FROM wanted GROUP BY queue_id, status, rank
     UNION ALL
    SELECT queue_id, $3::text, rank, count(*) FROM wanted GROUP BY queue_id, rank),
  ${recordedEvents('published', {
    from: `wanted WHERE $3::text <> 'pending' AND status <> $3::text`,
    order: 'id',
    id: 'outbox_id',
    event: `'${caseCompleted.name}'`,
    teamId: 'team_id',
    data: caseFacts('wanted', '$3::text'),
    meta: '$9::jsonb',
    at: '$10::timestamptz',
  })}
SELECT id, CASE WHEN status = 'pending' THEN claimed_by_run_id END AS run_id FROM wanted`;

/** Gives cases of a queue another rank. $1: the queue, $2: their ids, $3: the rank, $4: ids for the events, $5: who, $6: why, $7: when. */
export const rankCases = `
WITH wanted AS MATERIALIZED (
  SELECT ${columnsOf(CaseEntity, 'queue_case')}, input.event_id
    FROM queue_case JOIN unnest($2::uuid[], $4::uuid[]) AS input(id, event_id) USING (id)
   WHERE queue_case.queue_id = $1 AND queue_case.rank <> $3::smallint
   ORDER BY queue_case.id
     FOR UPDATE OF queue_case),
  moved AS (
    UPDATE queue_case SET rank = $3::smallint, updated_at = $7::timestamptz FROM wanted WHERE queue_case.id = wanted.id),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT event_id, id, 'updated', $5::jsonb, $6::text, $7::timestamptz FROM wanted),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, -count(*) FROM wanted GROUP BY queue_id, status, rank
     UNION ALL
    SELECT queue_id, status, $3::smallint, count(*) FROM wanted GROUP BY queue_id, status)
SELECT id, NULL::uuid AS run_id FROM wanted`;

/** Deletes cases of a queue with all that belongs to them. $1: the queue, $2: their ids. Runs are locked before. */
export const deleteCases = `
WITH gone AS (
  DELETE FROM queue_case WHERE queue_id = $1 AND id = ANY ($2::uuid[]) RETURNING ${columnsOf(CaseEntity)}),
  texts AS (DELETE FROM case_text USING gone WHERE case_text.case_id = gone.id),
  events AS (DELETE FROM case_event USING gone WHERE case_event.case_id = gone.id),
  links AS (DELETE FROM case_label_link USING gone WHERE case_label_link.case_id = gone.id),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, -count(*) FROM gone GROUP BY queue_id, status, rank)
SELECT id, CASE WHEN status = 'pending' THEN claimed_by_run_id END AS run_id FROM gone`;

import { caseCompleted, caseCreated } from '@aos/contracts';
import { recordedEvents } from '@aos/events';
import { columnsOf } from '@aos/persistence';
import { askingRuns } from '../lifecycle/human-requests/human-requests.sql.js';
import { CaseEntity } from './case.entities.js';

/** The labels of a case, as a column of a query over `queue_case AS shown`. */
export const labelsColumn = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', label.id, 'key', label.key, 'value', label.value, 'hue', label.hue)
                            ORDER BY label.key, label.value), '[]')
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = shown.id) AS labels`;

/** Builds the payload of a case event. `row` names the row of the case; `status` and `run` are expressions. */
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

/**
 * The cases of a queue whose runs, or sub-runs of theirs, wait for an approval. $1: the team, $2: the queue, $3: the cases,
 * or null for all.
 */
export const heldCases = `${askingRuns}
SELECT id FROM queue_case
 WHERE queue_id = $2 AND ($3::uuid[] IS NULL OR id = ANY ($3::uuid[])) AND status = 'pending'
   AND claimed_by_run_id IN (SELECT id FROM asking)`;

/**
 * Changes what a case says. $1: the team, $2: the case, $3: the fields that change, $4: its text for searches, or null,
 * $5: when. One statement, for the ledger and the text move with the row; it is locked already.
 */
export const editCase = `
WITH old AS MATERIALIZED (SELECT * FROM queue_case WHERE team_id = $1 AND id = $2),
  edited AS (
    UPDATE queue_case SET
           title = CASE WHEN $3::jsonb ? 'title' THEN $3::jsonb ->> 'title' ELSE queue_case.title END,
           data = CASE WHEN $3::jsonb ? 'data' THEN $3::jsonb -> 'data' ELSE queue_case.data END,
           rank = coalesce(($3::jsonb ->> 'rank')::smallint, queue_case.rank),
           postponed_to = CASE WHEN $3::jsonb ? 'postponed_to' THEN ($3::jsonb ->> 'postponed_to')::timestamptz
                               ELSE queue_case.postponed_to END,
           updated_at = $5::timestamptz
      FROM old WHERE queue_case.id = old.id
    RETURNING queue_case.id, queue_case.queue_id, queue_case.status, queue_case.rank, old.rank AS old_rank),
  texts AS (
    UPDATE case_text SET text = $4::text FROM edited WHERE case_text.case_id = edited.id AND $4::text IS NOT NULL),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT edited.queue_id, edited.status, ranks.rank, ranks.cases
      FROM edited CROSS JOIN LATERAL (VALUES (edited.old_rank, -1), (edited.rank, 1)) AS ranks(rank, cases)
     WHERE edited.rank <> edited.old_rank)
SELECT id FROM edited`;

/** By hand: a case with its labels, in one look. */
const shown = `SELECT ${columnsOf(CaseEntity, 'shown')}, ${labelsColumn} FROM queue_case AS shown`;

/** $1: the team, $2: the case. */
export const findCase = `${shown} WHERE shown.team_id = $1 AND shown.id = $2`;

/** $1: the ids, whose order it keeps. */
export const casesByIds = `
${shown} JOIN unnest($1::uuid[]) WITH ORDINALITY AS wanted(id, place) ON wanted.id = shown.id ORDER BY place`;

/** $1: the team, $2: the case. By hand: in each call of a tool that changes a case. */
export const lockCase = `SELECT ${columnsOf(CaseEntity)} FROM queue_case WHERE team_id = $1 AND id = $2 FOR UPDATE`;

/** $1: the queue, $2: the cases. By hand: a set, locked in the order of its ids. */
export const lockRunsOfCases = `
SELECT id FROM run WHERE id IN (
  SELECT claimed_by_run_id FROM queue_case
   WHERE queue_id = $1 AND id = ANY ($2::uuid[]) AND status = 'pending' AND claimed_by_run_id IS NOT NULL)
 ORDER BY id FOR UPDATE`;

/** $1: the queues. By hand: sums of a ledger. */
export const countCases = `
SELECT queue_id, status, sum(cases) AS cases FROM case_tally WHERE queue_id = ANY ($1::uuid[])
 GROUP BY queue_id, status`;

/** $1: the queues. By hand: a look into each, which ends with the first case that it finds. */
export const queuesWithApprovals = `
SELECT id FROM unnest($1::uuid[]) AS wanted(id)
 WHERE EXISTS (
   SELECT FROM queue_case JOIN human_request ON human_request.id = queue_case.pending_human_request_id
    WHERE queue_case.queue_id = wanted.id AND queue_case.status = 'pending'
      AND queue_case.claimed_by_run_id IS NOT NULL
      AND human_request.status = 'pending' AND human_request.type = 'approval')`;

/** Whether there is any row behind one. `after` is a number of ours. */
export function anyCaseTallyAfter(after: string): string {
  return `SELECT FROM case_tally WHERE id > ${after}`;
}

/**
 * $1: after which row, $2: how many rows to look at. What is added is the sum of what was deleted by this very statement,
 * so every snapshot has the same sum, whatever is written beside it. By hand: it works on a set.
 */
export const compactCaseTally = `
WITH recent AS MATERIALIZED (SELECT * FROM case_tally WHERE id > $1 ORDER BY id LIMIT $2),
  queues AS (SELECT DISTINCT queue_id FROM recent),
  same AS (
    SELECT tally.id, count(*) OVER same_kind AS rows, sum(tally.cases) OVER same_kind AS cases
      FROM queues JOIN case_tally AS tally USING (queue_id)
     WHERE tally.id <= (SELECT max(id) FROM recent)
    WINDOW same_kind AS (PARTITION BY queue_id, tally.status, tally.rank)),
  gone AS (
    DELETE FROM case_tally USING same
     WHERE case_tally.id = same.id AND (same.rows > 1 OR same.cases = 0) RETURNING case_tally.*),
  compacted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, sum(cases) FROM gone GROUP BY queue_id, status, rank HAVING sum(cases) <> 0)
SELECT max(id) AS last, count(*)::int AS looked FROM recent`;

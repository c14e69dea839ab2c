import { columnsOf } from '@aos/persistence';
import { CaseEntity } from './case.entities.js';
import { labelsColumn } from './cases.sql.js';

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

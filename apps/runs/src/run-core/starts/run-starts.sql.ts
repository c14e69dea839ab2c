import { keyRecordColumns, keyRecordsInsert } from '@aos/persistence';
import { recordInput, storeRecords } from '../records/run-records.sql.js';
import { insertRow } from '../run-row.sql.js';
import { numberOf, takenNumbers } from './run-counter.sql.js';
import { unnumbered, type NewRun } from './new-run.js';
import { declared, selected, StatementForms, type RunStartPart } from '../changes/statement-parts.js';

const columns = [
  ['id', 'uuid'],
  ['team_id', 'uuid'],
  ['agent_id', 'uuid'],
  ['agent_name', 'text'],
  ['build_id', 'uuid'],
  ['build_digest', 'text'],
  ['title', 'text'],
  ['source', 'text'],
  ['sandbox_id', 'uuid'],
  ['user_id', 'uuid'],
  ['schedule_id', 'uuid'],
  ['case_id', 'uuid'],
  ['case_title', 'text'],
  ['case_queue_id', 'uuid'],
  ['case_queue_name', 'text'],
  ['human_in_the_loop_enabled', 'boolean'],
  ['metadata', 'jsonb'],
  ['webhook_url', 'text'],
  ['traceparent', 'text'],
  ['parent_run_id', 'uuid'],
  ['parent_call_id', 'text'],
  ['depth', 'int'],
] as const;

/** Why a run is refused whose build neither came with it nor is stored. */
export const buildMissing = 'build missing';

const lacksBuild =
  'input.build IS NULL AND NOT EXISTS (SELECT FROM build_copy WHERE build_copy.digest = input.build_digest)';

const names = columns.map(([name]) => name).join(', ');
const types = columns.map(([name, type]) => `${name} ${type}`).join(', ');

/** The lock on parents makes a stop that comes meanwhile wait, and see the sub-run. */
const subRuns: RunStartPart = { concerns: ({ parent }) => parent !== undefined };

/** The statement that makes runs, with what other features write or refuse in it. */
export function runStartForms(parts: readonly RunStartPart[]): StatementForms<NewRun, RunStartPart> {
  return new StatementForms([subRuns, ...parts], insertRuns);
}

/**
 * Makes many runs in one statement; those with a token are taken already. $1: an array of runs, $2: their agents, see `takenNumbers`. Returns for each why it
 * was refused, if it was, and whether it was made: one whose id is there already (a firing that came twice) is neither.
 * A build that is stored need not come with its run. Each run gets the next number of its agent, less those of the same
 * agent that come `behind` it; a number that was taken for a run which is not made is left out.
 */
function insertRuns(parts: readonly RunStartPart[]): string {
  const added = parts.flatMap((part) => part.columns ?? []);
  const hasParents = parts.includes(subRuns);
  const refusals = parts.flatMap(({ refusal }) => refusal ?? []);
  return `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), behind int, ${types}, ${declared(added)}build jsonb, token uuid, lease_ms bigint, ${keyRecordColumns}, ${recordInput})),
  checked AS (SELECT input.*, ${refusalOf(refusals)} AS refusal FROM input),
  free AS (SELECT * FROM checked WHERE refusal IS NULL),
  ${hasParents ? parents : ''}counted AS (${takenNumbers}),
  keyed AS (${keyRecordsInsert(answers)}),
  accepted AS (
    SELECT * FROM free WHERE (scope IS NULL OR scope IN (SELECT scope FROM keyed))
       AND (parent_run_id IS NULL${hasParents ? ' OR parent_run_id IN (SELECT id FROM parents)' : ''})),
  copied AS (
    INSERT INTO build_copy (digest, build) SELECT DISTINCT ON (build_digest) build_digest, build FROM accepted
     WHERE build IS NOT NULL
    ON CONFLICT (digest) DO NOTHING),
  made AS (${insertRow(names)}
    RETURNING id, run_number),
  changed AS (
    SELECT accepted.n, accepted.at, accepted.messages, accepted.events, accepted.team_id,
           accepted.case_id, accepted.webhook_url, made.id AS run_id, made.run_number, 0 AS message_base, 0 AS event_base${selected(added, 'accepted')}
      FROM made JOIN accepted ON accepted.id = made.id),
${parts.map(({ sql }) => (sql === undefined ? '' : `  ${sql},\n`)).join('')}  ${storeRecords}
SELECT input.n,
       CASE WHEN accepted.n IS NOT NULL THEN NULL
            WHEN free.n IS NULL THEN input.refusal
            WHEN free.parent_run_id IS NOT NULL THEN 'parent ended'
            ELSE 'key taken' END AS refused,
       changed.n IS NOT NULL AS made, changed.run_number
  FROM checked AS input LEFT JOIN free USING (n) LEFT JOIN accepted USING (n) LEFT JOIN changed USING (n)`;
}

/** The records of keys, whose answers were written before the number was known. Within text a quote is escaped. */
const answers = `(
    SELECT scope, operation_id, fingerprint, answer_status,
           replace(answer_body, '"run_number":${unnumbered},', '"run_number":' || ${numberOf('free')} || ',') AS answer_body
      FROM free WHERE scope IS NOT NULL) AS answers`;

const parents = `parents AS MATERIALIZED (
    SELECT run.id FROM run JOIN input ON input.parent_run_id = run.id
     WHERE run.status = 'running' ORDER BY run.id FOR SHARE OF run),
  `;

function refusalOf(refusals: readonly NonNullable<RunStartPart['refusal']>[]): string {
  const branches = refusals.map(({ when, reason }) => `WHEN ${when} THEN '${reason}'`);
  return `CASE WHEN ${lacksBuild} THEN '${buildMissing}' ${branches.join(' ')} END`;
}

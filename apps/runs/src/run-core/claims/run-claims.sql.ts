import { recordedEvents } from '@aos/events';
import { publicMeta } from '../records/run-records.sql.js';
import { claimedColumns, endColumns, listed } from '../run-columns.js';
import { deferRow, releaseRow, renewRow, takeRow } from '../run-row.sql.js';
import { suspectAfter } from './lease.js';
import { isInDoubt } from './timelines.sql.js';

/** A run that no worker holds and that does not sleep. */
export const claimable = `(run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now())))`;

/** Longer histories are read apart: one must not hold up the claims of others. */
const readWithClaim = { messages: 100, bytes: 256 * 1024 };

/**
 * Takes the runs that `free` gives (id, token, event_id, at, traced) in one statement. $1: an array of wishes, $2: how
 * long the lease lasts in milliseconds, $3: the name of the event that tells of a run's first start. Returns those that
 * were taken, with their messages if they are few. The event of one that is traced belongs to the trace of its start.
 */
function claim(wishes: string, free: string): string {
  return `
WITH input AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(at timestamptz(3), traced boolean, ${wishes})),
  free AS MATERIALIZED (${free}),
  taken AS (${takeRow}
     WHERE run.id = free.id
    RETURNING free.at, free.event_id, free.traced, free.first, free.slept, free.token,
      extract(epoch FROM now() - run.queued_at)::float8 AS waited,
      ${isInDoubt} AS in_doubt, run.webhook_url, run.agent_name,
      ${listed(claimedColumns, 'run')}),
  started AS (
    SELECT id, team_id, event_seq, event_id, at,
           jsonb_strip_nulls(jsonb_build_object('traceparent', CASE WHEN traced THEN traceparent END)) ||
             ${publicMeta('$3::text')} ||
             jsonb_build_object('usage', jsonb_build_object('agent_id', agent_id, 'agent_name', agent_name)) AS meta,
           jsonb_strip_nulls(jsonb_build_object('run_id', id, 'status', 'running', 'agent_id', agent_id,
             'build_id', build_id, 'team_id', team_id, 'source', source, 'case_id', case_id)) AS data
      FROM taken WHERE first),
  ${recordedEvents('published', {
    from: 'started',
    order: 'event_id',
    id: 'event_id',
    event: '$3::text',
    teamId: 'team_id',
    data: 'data',
    meta: 'meta',
    at: 'at',
    run: { id: 'id', seq: 'event_seq' },
  })},
  woken AS (
    UPDATE run_step SET status = 'completed', completed_at = taken.at
      FROM taken WHERE taken.slept AND run_step.run_id = taken.id AND run_step.status = 'running'
       AND run_step.kind = 'wait')
SELECT taken.first, taken.slept, taken.token, taken.waited, taken.in_doubt, ${listed(claimedColumns, 'taken')}, history.messages
  FROM taken
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'role', role, 'text_content', text_content,
             'tool_call', tool_call, 'tool_result', tool_result) ORDER BY seq) AS messages
      FROM run_message WHERE run_message.run_id = taken.id) AS history
    ON taken.message_seq <= ${readWithClaim.messages} AND taken.message_bytes <= ${readWithClaim.bytes}`;
}

const facts = 'run.started_at IS NULL AS first, run.wake_at IS NOT NULL AS slept';

/** Takes certain runs. It waits for changes of them that are under way. */
export const claimRuns = claim(
  'run_id uuid, token uuid, event_id uuid',
  `SELECT run.id, input.token, input.event_id, input.at, input.traced, ${facts}
     FROM run JOIN input ON input.run_id = run.id
    WHERE ${claimable}
    ORDER BY run.id
      FOR UPDATE OF run`,
);

/** Takes the oldest waiting runs of each team, as many as there are tokens for it. It waits for nothing. */
export const claimOldestRuns = claimOldest("run.status IN ('pending', 'running')");

/**
 * The same of those that need no place where only so many may run: what runs but sleeps has one already, and a sub-run
 * works in that of the run which waits for it. Were it to wait for one of its own, all places could be held by such runs.
 */
export const claimOldestPlaced = claimOldest(
  "run.status IN ('pending', 'running') AND (run.status = 'running' OR run.parent_run_id IS NOT NULL)",
);

/** And of those that have not begun. */
export const claimOldestPending = claimOldest("run.status = 'pending'");

function claimOldest(which: string): string {
  return claim(
    'team_id uuid, tokens uuid[], event_ids uuid[]',
    `SELECT id, tokens[place] AS token, event_ids[place] AS event_id, at, traced, first, slept
     FROM (SELECT input.*, run.id, run.first, run.slept,
                  row_number() OVER (PARTITION BY input.team_id) AS place
             FROM input CROSS JOIN LATERAL (
               SELECT run.id, ${facts} FROM run
                WHERE run.team_id = input.team_id AND ${which}
                  AND run.queued_at <= now() AND ${claimable} AND run.takeovers < ${suspectAfter}
                ORDER BY run.queued_at, run.id
                LIMIT cardinality(input.tokens)
                  FOR UPDATE SKIP LOCKED) AS run) AS oldest`,
  );
}

/** $1: team. A run that waits for its sub-run is among them: it goes on as soon as that has ended. */
export const countRunning = `
  SELECT count(*)::int AS running FROM run WHERE team_id = $1 AND status = 'running'`;

const isValid = `run.id = lease.id AND run.lease_token = lease.token AND run.status = 'running'`;

/**
 * Moves the ends of many leases. $1: runs, $2: tokens, $3: milliseconds. Rows are locked in the order of their ids, as by
 * changes of runs: neither waits for the other while it is waited for. By hand: a set, at each heartbeat of a worker.
 */
export const renewLeases = `
WITH held AS MATERIALIZED (
  SELECT run.id, lease.token FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS lease(id, token) ON ${isValid}
   ORDER BY run.id
     FOR NO KEY UPDATE OF run)
${renewRow}
  FROM held WHERE run.id = held.id RETURNING held.token`;

/** Which of many leases are valid. $1: runs, $2: tokens. By hand: a set. */
export const checkLeases = `
SELECT lease.token FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS lease(id, token) ON ${isValid}`;

/** Compare-and-set on the lease. $1: run, $2: token, $3: milliseconds. */
export const deferRun = `
${deferRow}
 WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING id`;

/** The oldest run that loses its workers and may be tried again. By hand: it is to be read from its index, all teams at once. */
export const dueSuspect = `
SELECT id FROM run WHERE takeovers >= ${suspectAfter} AND status = 'running' AND queued_at <= now() AND ${claimable}
 ORDER BY queued_at LIMIT 1`;

/**
 * Takes expired leases away, many in one statement. $1: how many at most, $2: how long a lease lasts in milliseconds,
 * $3: how long a run waits in milliseconds, by how many workers it has lost. A lease that could not be renewed because
 * Postgres itself was away does not count: it ran out less than a lease after Postgres began.
 */
export const releaseAbandoned = `
WITH expired AS MATERIALIZED (
  SELECT id, least(cardinality($3::bigint[]) - 1,
           takeovers + CASE WHEN lease_until > pg_postmaster_start_time() + $2::bigint * interval '1 ms'
                            THEN 1 ELSE 0 END) AS takeovers
    FROM run WHERE lease_token IS NOT NULL AND status = 'running' AND lease_until <= now()
   ORDER BY id LIMIT $1
     FOR UPDATE SKIP LOCKED)${releaseRow}
 WHERE run.id = expired.id
RETURNING ${listed(endColumns, 'run')}, run.takeovers`;

const open = `run.status IN ('pending', 'running')`;

/** Pending and running runs. */
export const openRuns = `SELECT FROM run WHERE ${open}`;

/**
 * The teams with runs that wait to be taken, for longer than $1 milliseconds. By hand, for it steps from team to team
 * in the index: it costs as much with twenty thousand waiting runs as with one.
 */
export const waitingTeams = `
WITH RECURSIVE team AS (
  (SELECT run.team_id FROM run WHERE ${open} ORDER BY run.team_id LIMIT 1)
  UNION ALL
  SELECT (SELECT run.team_id FROM run WHERE ${open} AND run.team_id > team.team_id ORDER BY run.team_id LIMIT 1)
    FROM team WHERE team.team_id IS NOT NULL)
SELECT team_id FROM team
 WHERE EXISTS (SELECT FROM run WHERE run.team_id = team.team_id AND ${open} AND ${claimable}
                  AND run.takeovers < ${suspectAfter} AND run.queued_at < now() - $1 * interval '1 ms')`;

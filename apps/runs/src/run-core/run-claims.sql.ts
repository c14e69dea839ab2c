import { recordedEvents } from '@aos/events';
import { claimedColumns, listed } from './run-columns.js';
import { publicMeta } from './run-records.sql.js';
import { takeRow } from './run-row.sql.js';
import { suspectAfter } from './takeovers.js';
import { isInDoubt } from './timelines.sql.js';

/** What a worker may take: a run that no worker has, and that does not sleep. */
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

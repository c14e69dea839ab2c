import { withinPageBytes } from '../pagination.sql.js';

const columns = 'seq, id, position, event, team_id, data, meta, created_at';
const pruneBatch = 1_000;

/** A consumer that was away for more starts of the owner than these still goes on, unless the log has gone back. */
const keptEpochs = 1_000;

/** $1: events. By hand: a set, in the transaction of whatever is recorded. */
export const recordEvents = `
INSERT INTO outbox_event (id, event, team_id, data, meta, created_at)
SELECT id, event, team_id, data, meta, clock_timestamp()
  FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, event text, team_id uuid, data jsonb, meta jsonb)`;

/**
 * Gives positions to what has been committed, in one round trip: the lock on the head, then a statement whose snapshot is
 * younger than the lock. By hand: it runs with every commit that records something. By index: the log has grown since
 * it was last analysed, and the planner would read all of it.
 */
export function numberEvents({
  head,
  behind,
  limit,
}: {
  head: number;
  behind: number;
  limit: number;
}): string {
  return `SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
SELECT 1 FROM outbox_head WHERE id = 1 FOR UPDATE;
WITH head AS (SELECT position, epoch FROM outbox_head WHERE id = 1 AND position >= ${head}),
  pending AS (
    SELECT seq, row_number() OVER (ORDER BY seq) AS n
      FROM (SELECT seq FROM outbox_event WHERE position IS NULL AND seq > ${behind} ORDER BY seq LIMIT ${limit}) AS batch),
  numbered AS (
    UPDATE outbox_event AS o SET position = head.position + pending.n
      FROM pending, head WHERE o.seq = pending.seq
    RETURNING o.seq, o.id, o.position, o.event, o.team_id, o.data, o.meta, o.created_at),
  moved AS (
    UPDATE outbox_head SET position = position + (SELECT count(*) FROM numbered) WHERE id = 1)
SELECT head.position AS head, head.epoch, numbered.* FROM head LEFT JOIN numbered ON true
 ORDER BY numbered.position`;
}

/** Where the log ends, and whether something waits for a number. By hand: asked all the time, and answered by index. */
export const stateOfLog = `
SELECT position AS head,
       (SELECT seq FROM outbox_event WHERE position IS NULL ORDER BY seq LIMIT 1) IS NOT NULL AS waits
  FROM outbox_head WHERE id = 1`;

/** $1: the position, $2: how many. By hand: a page has a size in bytes, too. */
export const eventsAfter = withinPageBytes(
  `SELECT ${columns} FROM outbox_event WHERE position > $1 ORDER BY position LIMIT $2`,
  { order: 'position', bytes: 'octet_length(data::text)' },
);

/** By hand: both ends in one snapshot. */
export const endsOfLog = `
SELECT position AS head, epoch,
       (SELECT position FROM outbox_event WHERE position IS NOT NULL ORDER BY position LIMIT 1) AS oldest
  FROM outbox_head WHERE id = 1`;

/** $1: hours. By hand: a set. */
export const pruneEvents = `
WITH oldest AS MATERIALIZED (
  SELECT seq, position, created_at < now() - make_interval(hours => $1) AS old
    FROM outbox_event WHERE position IS NOT NULL ORDER BY position LIMIT ${pruneBatch}),
gone AS (DELETE FROM outbox_event WHERE seq IN (
  SELECT seq FROM oldest
   WHERE position < coalesce((SELECT min(position) FROM oldest WHERE NOT old), position + 1)) RETURNING 1)
SELECT count(*) FROM gone`;

/** Behind what has been numbered. By hand: under the lock of the head, in one round trip. `epoch` is an id of ours. */
export function beginEpoch(epoch: string): string {
  return `SELECT 1 FROM outbox_head WHERE id = 1 FOR UPDATE;
INSERT INTO outbox_epoch (epoch, after) SELECT '${epoch}', position FROM outbox_head WHERE id = 1;
DELETE FROM outbox_epoch WHERE id IN (SELECT id FROM outbox_epoch ORDER BY id DESC OFFSET ${keptEpochs});
UPDATE outbox_head SET epoch = '${epoch}' WHERE id = 1`;
}

/** Oldest first. By hand: no entity goes out of the library. */
export const listEpochs = 'SELECT epoch, after FROM outbox_epoch ORDER BY id';

/** By hand: the clock is that of Postgres, and the index of what has no number answers it. */
export const outboxLag = `
SELECT extract(epoch FROM now() - created_at)::float8 AS seconds
  FROM outbox_event WHERE position IS NULL ORDER BY seq LIMIT 1`;

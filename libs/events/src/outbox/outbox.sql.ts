import { withinPageBytes } from '@aos/persistence';

const pruneBatch = 1_000;

/** A consumer that was away for more starts of the owner than these still goes on, unless the log has gone back. */
const keptEpochs = 1_000;

/** Rows of a statement that become events. All are expressions over `from` but `from` itself, which may have conditions. */
export interface RecordedRows {
  readonly from: string;
  readonly order: string;
  readonly id: string;
  readonly event: string;
  readonly teamId: string;
  readonly data: string;
  readonly meta: string;
  readonly at: string;
  /** The run whose event it is, and its number among them: null for what is not shown in its stream. */
  readonly run?: { readonly id: string; readonly seq: string };
}

/**
 * Part of a statement that records events with whatever it changes: one batch, which is numbered as a whole. By hand:
 * sets, in the statements that make them true.
 */
export function recordedEvents(name: string, rows: RecordedRows): string {
  const { id: runId, seq: runSeq } = rows.run ?? { id: 'NULL::uuid', seq: 'NULL::int' };
  return `${name}_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM ${rows.from} HAVING count(*) > 0
    RETURNING id AS batch_id),
  ${name} AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY ${rows.order}), ${rows.id}, ${rows.event}, ${rows.teamId},
           ${runId}, ${runSeq}, ${rows.data}, ${rows.meta}, ${rows.at}
      FROM ${name}_batch CROSS JOIN ${rows.from})`;
}

/** $1: events, each with its place. By hand: a set, in the transaction of whatever is recorded. */
export const recordEvents = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb)
    AS r(place int, id uuid, event text, team_id uuid, data jsonb, meta jsonb)),
  ${recordedEvents('recorded', {
    from: 'input',
    order: 'place',
    id: 'id',
    event: 'event',
    teamId: 'team_id',
    data: 'data',
    meta: 'meta',
    at: 'clock_timestamp()',
  })}
SELECT`;

/**
 * Part of a statement that deletes runs, from `gone` (id): their events go with them, but those that the log still has
 * stay in it, without their run and with no more than what consumers count by. The lock makes whoever prunes the log wait: it deletes what has no run.
 */
export const releasedEvents = `logged_batches AS MATERIALIZED (
    SELECT id FROM outbox_batch
     WHERE id IN (SELECT batch_id FROM logged_event JOIN gone ON logged_event.run_id = gone.id)
     ORDER BY id FOR KEY SHARE),
  released_events AS (
    UPDATE logged_event SET run_id = NULL, data = jsonb_strip_nulls(jsonb_build_object(
           'run_id', run_id, 'deleted', true, 'status', data -> 'status', 'agent_id', data -> 'agent_id'))
      FROM gone
     WHERE logged_event.run_id = gone.id AND batch_id IN (SELECT id FROM logged_batches)),
  gone_events AS (
    DELETE FROM logged_event USING gone
     WHERE logged_event.run_id = gone.id AND batch_id NOT IN (SELECT id FROM logged_batches))`;

/** Who numbers, or begins an epoch, does so alone. By hand: it goes before the statement that needs the lock. */
export const lockHead = 'SELECT 1 FROM outbox_head WHERE id = 1 FOR UPDATE';

/** Larger data is left out of what a numbering returns, which may be that of hundreds of events; consumers pull it. */
const maxNumberedBytes = 64 * 1024;
/** The stored size is known without reading the data; the text of what is stored in fewer bytes is never much larger. */
const smallData = `pg_column_size(e.data) < 1024 OR octet_length(e.data::text) <= ${maxNumberedBytes}`;

/**
 * Gives positions to what has been committed, under the lock on the head, which is older than this statement's snapshot.
 * $1: where the head is at least, $2: batches further back are left to the next look at everything, $3: how many events.
 * Of a batch only its narrow row is written: its events are behind `after`, each by its place. By hand: it runs with every
 * commit that records something.
 */
export const numberEvents = `
WITH head AS (SELECT position, epoch FROM outbox_head WHERE id = 1 AND position >= $1::bigint),
  waiting AS (
    SELECT id, size FROM outbox_batch WHERE after IS NULL AND id > $2::bigint ORDER BY id LIMIT $3::bigint),
  placed AS (SELECT id, size, sum(size) OVER (ORDER BY id) - size AS ahead FROM waiting),
  taken AS MATERIALIZED (
    SELECT id, size, head.position + ahead AS after FROM placed CROSS JOIN head WHERE ahead < $3::bigint),
  numbered AS (
    UPDATE outbox_batch AS b SET after = taken.after FROM taken WHERE b.id = taken.id RETURNING b.id, b.after),
  moved AS (
    UPDATE outbox_head SET position = position + (SELECT coalesce(sum(size), 0) FROM taken) WHERE id = 1),
  events AS (
    SELECT ${columns('b', `CASE WHEN ${smallData} THEN e.data END`)} FROM numbered AS b JOIN logged_event AS e ON e.batch_id = b.id)
SELECT head.position AS head, head.epoch, events.* FROM head LEFT JOIN events ON true
 ORDER BY events.position`;

/** Of an event and its batch. */
function columns(batch: string, data = 'e.data'): string {
  return `${batch}.id AS number, e.id, ${batch}.after + e.place AS position, e.event, e.team_id, e.run_seq, ${data} AS data,
    e.meta, e.created_at`;
}

/** Where the log ends, and whether something waits for a number. By hand: asked all the time, and answered by index. */
export const stateOfLog = `
SELECT position AS head,
       (SELECT id FROM outbox_batch WHERE after IS NULL ORDER BY id LIMIT 1) IS NOT NULL AS waits
  FROM outbox_head WHERE id = 1`;

/**
 * $1: the position, $2: how many. The batch in which the position lies is the last that does not begin behind it. By hand:
 * a page has a size in bytes, too.
 */
export const eventsAfter = withinPageBytes(
  `SELECT ${columns('b')}
     FROM (SELECT id, after FROM outbox_batch
            WHERE after >= coalesce((SELECT max(after) FROM outbox_batch WHERE after <= $1::bigint), 0)
            ORDER BY after LIMIT $2::bigint + 1) AS b
     JOIN logged_event AS e ON e.batch_id = b.id
    WHERE b.after + e.place > $1::bigint ORDER BY b.after, e.place LIMIT $2::bigint`,
  { order: 'position', bytes: 'octet_length(data::text)' },
);

/** By hand: both ends in one snapshot. */
export const endsOfLog = `
SELECT position AS head, epoch,
       (SELECT after + 1 FROM outbox_batch WHERE after IS NOT NULL ORDER BY after LIMIT 1) AS oldest
  FROM outbox_head WHERE id = 1`;

/** $1: hours. Gives the batches that are gone from the log. By hand: a set. */
export const pruneBatches = `
WITH oldest AS MATERIALIZED (
  SELECT id, after, created_at < now() - make_interval(hours => $1) AS old
    FROM outbox_batch WHERE after IS NOT NULL ORDER BY after LIMIT ${pruneBatch}),
locked AS MATERIALIZED (
  SELECT id FROM outbox_batch
   WHERE id IN (SELECT id FROM oldest
                 WHERE after < coalesce((SELECT min(after) FROM oldest WHERE NOT old), after + 1))
   ORDER BY id FOR UPDATE)
DELETE FROM outbox_batch WHERE id IN (SELECT id FROM locked) RETURNING id`;

/** $1: batches that are gone. What a run shows in its stream stays as long as the run. By hand: a set. */
export const pruneEvents = 'DELETE FROM logged_event WHERE batch_id = ANY ($1::bigint[]) AND run_id IS NULL';

/** $1: the epoch. It begins behind what has been numbered. By hand, as the two that follow: under the lock on the head. */
export const addEpoch =
  'INSERT INTO outbox_epoch (epoch, after) SELECT $1::uuid, position FROM outbox_head WHERE id = 1';

export const forgetOldEpochs = `
DELETE FROM outbox_epoch WHERE id IN (SELECT id FROM outbox_epoch ORDER BY id DESC OFFSET ${keptEpochs})`;

/** $1: the epoch. */
export const setEpoch = 'UPDATE outbox_head SET epoch = $1 WHERE id = 1';

/** Oldest first. By hand: no entity goes out of the library. */
export const listEpochs = 'SELECT epoch, after FROM outbox_epoch ORDER BY id';

/** By hand: the clock is that of Postgres, and the indexes of what has no number answer it. */
export const outboxLag = `
SELECT extract(epoch FROM now() -
         (SELECT created_at FROM outbox_batch WHERE after IS NULL ORDER BY id LIMIT 1))::float8 AS seconds`;

// By hand, all of them: a queue that several replicas take from, whose times are those of Postgres.

const pruneBatch = 100;

/** $1 to $6: id, source, position, event, error, attempts; $7: minutes until the next. */
export const addDead = `
INSERT INTO dead_event (id, source, position, event, error, attempts, next_attempt_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7), now())`;

export const isDeadDue = 'SELECT EXISTS (SELECT FROM dead_event WHERE next_attempt_at <= now()) AS due';

export const dueDead = `
SELECT id, event, attempts FROM dead_event WHERE next_attempt_at <= now()
 ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** $1: the id. */
export const settleDead = 'DELETE FROM dead_event WHERE id = $1';

/** $1: the id, $2: the error, $3: attempts, $4: minutes until the next. */
export const postponeDead = `
UPDATE dead_event SET error = $2, attempts = $3, next_attempt_at = now() + make_interval(mins => $4)
 WHERE id = $1`;

/** $1: days. */
export const pruneDead = `
WITH oldest AS MATERIALIZED (
  SELECT id, created_at FROM dead_event ORDER BY id LIMIT ${pruneBatch} FOR UPDATE SKIP LOCKED)
DELETE FROM dead_event USING oldest
 WHERE dead_event.id = oldest.id AND oldest.created_at < now() - make_interval(days => $1)
RETURNING event ->> 'id' AS id, event ->> 'event' AS event`;

export const countDead = 'SELECT count(*) FROM dead_event';

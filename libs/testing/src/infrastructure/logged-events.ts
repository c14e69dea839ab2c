import type { QueryableDatabase } from './test-database.js';

/** A service's log as a table of SQL: its events, each with its position once it has one. */
export function loggedEvents(schema: string): string {
  return `(SELECT e.*, b.after + e.place AS position
     FROM ${schema}.logged_event AS e LEFT JOIN ${schema}.outbox_batch AS b ON b.id = e.batch_id)`;
}

/**
 * Records events as a process does that dies before it tells anybody. `rows` is a query that gives event, team_id, data
 * and created_at of each, and what else the log keeps beside it (meta).
 */
export async function recordSilently(
  database: QueryableDatabase,
  schema: string,
  rows: string,
  parameters: unknown[] = [],
): Promise<void> {
  await database.query(
    `WITH rows AS MATERIALIZED (${rows}),
       batch AS (
         INSERT INTO ${schema}.outbox_batch (size)
         SELECT count(*) FROM rows HAVING count(*) > 0
         RETURNING id AS batch_id)
     INSERT INTO ${schema}.logged_event (batch_id, place, id, event, team_id, data, meta, created_at)
     SELECT batch_id, row_number() OVER (), gen_random_uuid(), event, team_id, data, meta, created_at FROM rows, batch`,
    parameters,
  );
}

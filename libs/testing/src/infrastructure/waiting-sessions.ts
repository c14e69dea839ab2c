import type { TestDatabase } from './test-database.js';

/** How many sessions of this database wait for a lock that another holds. */
export async function waitingSessions(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(row!.count);
}

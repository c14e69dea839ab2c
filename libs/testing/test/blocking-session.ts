import pg from 'pg';
import type { TestDatabase } from '../src/index.js';

/** A session that stands in the way of others for as long as a test wants. */
export interface BlockingSession {
  query(sql: string, parameters?: unknown[]): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export async function openTransaction(database: TestDatabase): Promise<BlockingSession> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  const end = async (sql: string) => {
    await client.query(sql);
    await client.end();
  };
  return {
    query: async (sql, parameters = []) => {
      await client.query(sql, parameters);
    },
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
  };
}

export async function heldAdvisoryLocks(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>(
    `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return Number(row!.count);
}

/** Sessions that hold a transaction open and do nothing in it. */
export async function idleInTransaction(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  return Number(row!.count);
}

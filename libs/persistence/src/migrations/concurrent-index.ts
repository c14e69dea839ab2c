import type { QueryRunner } from 'typeorm';
import { indexState } from './migrate.sql.js';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table: `(team_id, created_at DESC) WHERE ended_at IS NULL`, `USING gin (…)`. */
  readonly definition: string;
  readonly unique?: boolean;
}

/**
 * Makes an index while the table is read and written: for tables that can be large (ADR 24). The migration has
 * `readonly transaction = false` and does nothing else, since what it did before would not be undone. What an attempt left
 * that did not come to its end, an index that nothing may use, is made again.
 */
export async function createIndexConcurrently(runner: QueryRunner, index: ConcurrentIndex): Promise<void> {
  const state = await stateOf(runner, index.name);
  if (state === 'valid') return;
  if (state === 'invalid') await dropIndexConcurrently(runner, index.name);
  const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
  await withoutLockTimeout(runner, () =>
    runner.query(`CREATE ${kind} CONCURRENTLY ${index.name} ON ${index.table} ${index.definition}`),
  );
}

/** Removes an index while the table is read and written. */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  assertAlone(runner);
  await withoutLockTimeout(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

async function stateOf(runner: QueryRunner, name: string): Promise<'none' | 'valid' | 'invalid'> {
  assertAlone(runner);
  const [found] = (await runner.query(indexState, [name])) as { valid: boolean }[];
  if (!found) return 'none';
  return found.valid ? 'valid' : 'invalid';
}

/** It waits for all transactions that are open, however long, and nothing waits behind it. */
async function withoutLockTimeout(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    await work();
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

function assertAlone(runner: QueryRunner): void {
  if (!runner.isTransactionActive) return;
  throw new Error('An index is made concurrently by a migration with `readonly transaction = false`');
}

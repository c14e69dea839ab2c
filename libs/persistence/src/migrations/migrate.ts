import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { wayTo } from '../connections/database-socket.js';
import { firstConnection } from '../connections/ping-database.js';
import {
  keepAliveSettings,
  openDataSource,
  optionsOf,
  withoutPooler,
  type DatabaseModel,
  type DatabaseSettings,
} from '../data-source.js';
import { isLockTimeout, isRetryableConflict } from '../pg-errors.js';
import { createSchema, hasMigrations, madeMigrations, tryMigrationLock } from './migrate.sql.js';

/** Any number will do, as long as it is the same in every replica; the schema's name makes the second half. */
const lockSpace = 0x616f73;
const askForLockEveryMs = 200;
/** The first migration of all versions before 1.0. */
const firstBefore1 = 'Foundation1760000000000';

export interface MigrateOptions {
  /**
   * How long a migration waits for a lock on a table: all who come after it wait behind it, so it gives way and tries
   * again.
   */
  readonly lockTimeoutMs?: number;
  /** How often it is tried, and what lies between. */
  readonly tries?: number;
  readonly pauseMs?: number;
}

/** Brings a service's schema up to date. Replicas that start together wait for the one that migrates. */
export async function migrate(
  settings: DatabaseSettings,
  model: DatabaseModel,
  { lockTimeoutMs = 2_000, tries = 60, pauseMs = 1_000 }: MigrateOptions = {},
): Promise<string[]> {
  const direct = withoutPooler(settings);
  return withMigrationLock(direct, async () => {
    // An index over a large table takes longer than any request may.
    const unhurried = { ...direct, statementTimeoutMs: 0, lockTimeoutMs };
    const dataSource = await openDataSource(unhurried, model, 2);
    try {
      return await migrateBetweenLocks(dataSource, tries, pauseMs);
    } finally {
      await dataSource.destroy();
    }
  });
}

/** The migrations that were not made yet. What a newer version has made is no matter. */
export async function missingMigrations(settings: DatabaseSettings, model: DatabaseModel): Promise<string[]> {
  const dataSource = await openDataSource(withoutPooler(settings), model, 1);
  try {
    const made = await namesOf(dataSource);
    return model.migrations.map(({ name }) => name).filter((name) => !made.includes(name));
  } finally {
    await dataSource.destroy();
  }
}

/** What was migrated before a lock could not be had stays: each migration commits by itself. */
async function migrateBetweenLocks(
  dataSource: DataSource,
  tries: number,
  pauseMs: number,
): Promise<string[]> {
  const before = await namesOf(dataSource);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dataSource.runMigrations();
      return (await namesOf(dataSource)).filter((name) => !before.includes(name));
    } catch (error) {
      const isInTheWay = isLockTimeout(error) || isRetryableConflict(error);
      if (!isInTheWay || attempt >= tries) throw error;
      await delay(pauseMs);
    }
  }
}

/** Lists the migrations that were made, in their order. Tables of versions before 1.0 cannot be migrated. */
async function namesOf(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ present: boolean }[]>(hasMigrations);
  if (!table!.present) return [];
  const rows = await dataSource.query<{ name: string }[]>(madeMigrations);
  const names = rows.map(({ name }) => name);
  if (names.includes(firstBefore1)) {
    throw new Error(
      'The database was made by a version before 1.0, which this version cannot migrate. Use an empty database.',
    );
  }
  return names;
}

async function withMigrationLock<T>(settings: DatabaseSettings, work: () => Promise<T>): Promise<T> {
  const client = await firstConnection(() => connectToMigrate(settings));
  try {
    // Not by waiting in Postgres: a statement that waits is what an index that is made concurrently waits for.
    while (!(await tryLock(client, settings.schema))) await delay(askForLockEveryMs);
    await client.query(createSchema(client.escapeIdentifier(settings.schema)));
    return await work();
  } finally {
    await client.end();
  }
}

async function connectToMigrate({ url, applicationName }: DatabaseSettings): Promise<pg.Client> {
  const client = new pg.Client({
    ...wayTo(url),
    application_name: `${applicationName}-migrate`,
    // A migrator whose host vanished gives its lock back.
    options: optionsOf(keepAliveSettings),
    keepAlive: true,
  } as pg.ClientConfig);
  // The statement under way fails with it; without a listener the process would end.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function tryLock(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(tryMigrationLock, [lockSpace, schema]);
  return rows[0]!.locked;
}

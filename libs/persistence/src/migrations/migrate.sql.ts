// By hand: asked around migrations, of tables that no entity describes.

/** $1: a number of ours, $2: the schema. Held by the session. */
export const tryMigrationLock = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS locked';

export function createSchema(name: string): string {
  return `CREATE SCHEMA IF NOT EXISTS ${name}`;
}

/** Whether any migration was ever made here. */
export const hasMigrations = `SELECT to_regclass('migration') IS NOT NULL AS present`;

export const madeMigrations = 'SELECT name FROM migration ORDER BY id';

/** $1: the name of an index of this schema. No row: there is none. */
export const indexState = `
  SELECT pg_index.indisvalid AS valid
    FROM pg_index JOIN pg_class ON pg_class.oid = pg_index.indexrelid
   WHERE pg_class.relname = $1 AND pg_class.relnamespace = current_schema()::regnamespace`;

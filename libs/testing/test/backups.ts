import type { TestDatabase } from '../src/index.js';

/** The tables of a service as they are now; gives a function that puts them back, as a restored backup would. */
export async function backUp(database: TestDatabase, schema: string): Promise<() => Promise<void>> {
  const kept = `${schema}_backup`;
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 AND table_name <> 'migration'`,
    [schema],
  );
  await database.query(`DROP SCHEMA IF EXISTS ${kept} CASCADE`);
  // One statement has one snapshot, as a backup does.
  await database.query(`CREATE SCHEMA ${kept}`);
  await database.query(
    `DO $$ BEGIN ${tables.map(({ name }) => `CREATE TABLE ${kept}.${name} AS TABLE ${schema}.${name};`).join(' ')} END $$`,
  );
  return async () => {
    const names = tables.map(({ name }) => `${schema}.${name}`).join(', ');
    const fill = tables.map(
      ({ name }) => `INSERT INTO ${schema}.${name} OVERRIDING SYSTEM VALUE TABLE ${kept}.${name};`,
    );
    await database.query(`DO $$ BEGIN TRUNCATE ${names}; ${fill.join(' ')} END $$`);
  };
}

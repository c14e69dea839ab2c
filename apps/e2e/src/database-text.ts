import type { QueryableDatabase } from '@aos/testing';

/** Everything that the tables of a service hold, as text, to look for what must not be there. */
export async function databaseText(database: QueryableDatabase, schema: string): Promise<string> {
  const tables = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.query<{ row: unknown }>(
        `SELECT to_jsonb(t) AS row FROM ${schema}.${name} t`,
      );
      return `${name}: ${JSON.stringify(rows)}`;
    }),
  );
  return texts.join('\n');
}

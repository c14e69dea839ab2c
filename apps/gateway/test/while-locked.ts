import pg from 'pg';

/** Does the work while nobody else can read the table. */
export async function whileLocked(
  databaseUrl: string,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work();
  } finally {
    await client.end();
  }
}

import pg from 'pg';
import { createDataSource, type DatabaseModel, type DatabaseSettings } from '../data-source.js';

/** Any number will do, as long as it is the same in every replica; the schema's name makes the second half. */
const lockSpace = 0x616f73;

/** Brings a service's schema up to date. Replicas that start together wait for the one that migrates. */
export async function migrate(settings: DatabaseSettings, model: DatabaseModel): Promise<string[]> {
  return withMigrationLock(settings, async () => {
    // An index over a large table takes longer than any request may.
    const unhurried = { ...settings, poolSize: 2, statementTimeoutMs: 0 };
    const dataSource = await createDataSource(unhurried, model).initialize();
    try {
      const done = await dataSource.runMigrations();
      return done.map(({ name }) => name);
    } finally {
      await dataSource.destroy();
    }
  });
}

async function withMigrationLock<T>(settings: DatabaseSettings, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: settings.url,
    application_name: `${settings.applicationName}-migrate`,
  });
  // The statement under way fails with it; without a listener the process would end.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [lockSpace, settings.schema]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(settings.schema)}`);
    return await work();
  } finally {
    await client.end();
  }
}

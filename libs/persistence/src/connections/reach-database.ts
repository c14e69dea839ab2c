import pg from 'pg';
import { ping } from '../transactions/transactions.sql.js';
import { wayTo } from './database-socket.js';

const connectTimeoutMs = 5_000;

/** Resolves when the database takes a session and answers; rejects with what stands in the way. */
export async function reachDatabase(url: string, applicationName: string): Promise<void> {
  const client = new pg.Client({
    ...wayTo(url),
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  } as pg.ClientConfig);
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A pooler takes sessions while the server behind it is away.
    await client.query(ping);
  } finally {
    client.end().catch(() => undefined);
  }
}

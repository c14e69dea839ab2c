import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { isStoreUnavailable } from '../pg-errors.js';
import { ping } from '../transactions/transactions.sql.js';
import { wayTo } from './database-socket.js';

const connectTimeoutMs = 5_000;

/** Resolves when the database takes a session and answers; rejects with what stands in the way. */
export async function pingDatabase(url: string, applicationName: string): Promise<void> {
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

const maxTries = 5;
const pauseMs = 200;

/**
 * Connects, and again if the store is gone in that moment. A service has asked before whether Postgres is there, but a start
 * loads so much that a connection may get its answer too late, and a server may give its place to another.
 */
export async function firstConnection<T>(connect: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      if (attempt >= maxTries || !isStoreUnavailable(error)) throw error;
      await delay(pauseMs);
    }
  }
}

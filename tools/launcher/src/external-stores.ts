import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.js';

const patienceMs = 30_000;
const connectTimeoutMs = 5_000;
const pauseMs = 500;

/** Waits until the given Postgres takes a session: its container may be starting at the same time. */
export function awaitPostgres(url: string): Promise<string> {
  return awaitStore('DATABASE_URL', url, async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
    // A later loss of the connection is not ours to handle.
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
  });
}

export function awaitRedis(url: string): Promise<string> {
  return awaitStore('REDIS_URL', url, async () => {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: connectTimeoutMs,
      commandTimeout: connectTimeoutMs,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      // Its own check swallows a refusal for want of a password; the PING below tells.
      enableReadyCheck: false,
    });
    let reason: Error | undefined;
    client.on('error', (error: Error) => (reason = error));
    try {
      await client.connect();
      await client.ping();
    } catch (error) {
      // The rejection says only that the connection is closed.
      throw reason ?? error;
    } finally {
      client.disconnect();
    }
  });
}

async function awaitStore(variable: string, url: string, attempt: () => Promise<void>): Promise<string> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      await attempt();
      return url;
    } catch (error) {
      if (Date.now() > deadline || !isPassing(error)) {
        const { hostname, port } = new URL(url);
        const place = port ? `${hostname}:${port}` : hostname;
        throw new StartError([`${variable}: cannot use ${place}: ${reasonOf(error)}`]);
      }
      await delay(pauseMs);
    }
  }
}

/** Nobody listens yet, or the server is still starting. A refused password stays refused. */
function isPassing(error: unknown): boolean {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException;
  const starting = '57P03';
  return (
    message.startsWith('LOADING') ||
    // Nobody has made the Unix socket yet.
    (code === 'ENOENT' && syscall === 'connect') ||
    ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND', starting].includes(code)
  );
}

function reasonOf(error: unknown): string {
  // Several addresses of one name fail together, and then the message is empty.
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'no connection';
}

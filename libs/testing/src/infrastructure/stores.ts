import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRedis, type EmbeddedStore } from '@aos/local-infra';

/** A Postgres and a Redis that tests may use. */
export interface Stores {
  /** Where they come from, for the first line of a test run. */
  readonly origin: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

/** Given addresses first, then containers where a Docker engine answers, else the embedded servers. */
export async function startStores(environment: Record<string, string | undefined>): Promise<Stores> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = environment;
  if (databaseUrl && redisUrl) {
    return { origin: 'given addresses', databaseUrl, redisUrl, stop: async () => undefined };
  }
  if (!(await dockerAnswers())) return startEmbedded();
  try {
    return await startContainers();
  } catch (error) {
    // An engine without a way to its images, on a machine that is offline.
    process.stderr.write(`Containers cannot be used: ${String(error)}\n`);
    return startEmbedded();
  }
}

async function dockerAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

async function startContainers(): Promise<Stores> {
  const [{ PostgreSqlContainer }, { RedisContainer }] = await Promise.all([
    import('@testcontainers/postgresql'),
    import('@testcontainers/redis'),
  ]);
  const [postgres, redis] = await Promise.all([
    new PostgreSqlContainer('postgres:16-alpine')
      .withCommand(['postgres', '-c', 'max_connections=300'])
      .start(),
    new RedisContainer('redis:7-alpine').start(),
  ]);
  return {
    origin: 'testcontainers',
    databaseUrl: postgres.getConnectionUri(),
    redisUrl: redis.getConnectionUrl(),
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

/** A server that a test can take away and bring back at the same address. */
export interface EmbeddedServer {
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface EmbeddedStores extends Stores {
  readonly postgres: EmbeddedServer;
  readonly redis: EmbeddedServer;
}

/** Servers of a test's own, which it may empty, stop and kill. */
export async function startEmbedded(): Promise<EmbeddedStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aos-test-'));
  const startDatabase = (port?: number) => startPostgres({ dataDir: join(dataDir, 'postgres'), port });
  const startCache = (port?: number) => startRedis({ dataDir: join(dataDir, 'redis'), port });
  const [database, cache] = await Promise.all([startDatabase(), startCache()]);
  const postgres = restartable(database, startDatabase);
  const redis = restartable(cache, startCache);
  return {
    origin: `embedded Postgres and ${cache.kind}`,
    databaseUrl: database.url,
    redisUrl: cache.url,
    postgres,
    redis,
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function restartable(
  first: EmbeddedStore,
  startAgain: (port: number) => Promise<EmbeddedStore>,
): EmbeddedServer {
  let current = first;
  return {
    stop: () => current.stop(),
    kill: async () => {
      current.kill();
      await current.exited;
    },
    start: async () => {
      current = await startAgain(first.port);
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, startRedis, type EmbeddedStore } from '@aos/local-infra';
import { dockerAnswers, startContainers } from './containers.js';
import { wantedStores, type StoreImages, type Stores } from './wanted-stores.js';

/** How stores are come by; a test of the choice brings its own. */
export interface StoreSources {
  engineAnswers(): Promise<boolean>;
  startContainers(images: StoreImages): Promise<Stores>;
  startEmbedded(): Promise<Stores>;
  /** Told why containers are not used although an engine answers. */
  say(line: string): void;
}

/**
 * For the Postgres that the files of a run share. No test restarts it, so it need not survive a power cut. With fsync each
 * test database took up to four seconds to drop.
 */
const settingsOfRun = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
  scram_iterations: '1',
};

const storesHere: StoreSources = {
  engineAnswers: dockerAnswers,
  startContainers,
  startEmbedded: startStoresOfRun,
  say: (line) => process.stderr.write(`${line}\n`),
};

/** Each connection proves that it knows the password, which takes 10 ms of CPU; once instead of 4096 times, next to none. */
async function startStoresOfRun(): Promise<Stores> {
  const stores = await startEmbedded(settingsOfRun);
  const client = new pg.Client({ connectionString: stores.databaseUrl });
  await client.connect();
  const password = client.escapeLiteral(decodeURIComponent(new URL(stores.databaseUrl).password));
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${password}`);
  await client.end();
  return stores;
}

/**
 * Given addresses first, then containers where a Docker engine answers, else the embedded servers. Containers that are
 * required (`TEST_STORES=containers`, or an image is named) are used, or the run ends.
 */
export async function startStores(
  environment: Readonly<Record<string, string | undefined>>,
  sources: StoreSources = storesHere,
): Promise<Stores> {
  const wanted = wantedStores(environment);
  if (wanted.kind === 'given') return { ...wanted, stop: async () => undefined };
  if (wanted.kind === 'embedded') return sources.startEmbedded();
  const { isRequired, images } = wanted;
  if (!(await sources.engineAnswers())) {
    if (isRequired) throw new Error('Containers are required (TEST_STORES), and no engine answers');
    return sources.startEmbedded();
  }
  try {
    return await sources.startContainers(images);
  } catch (error) {
    if (isRequired)
      throw new Error(`Containers are required (TEST_STORES), and did not start: ${String(error)}`);
    // An engine without a way to its images, on a machine that is offline.
    sources.say(`Containers cannot be used: ${String(error)}`);
    return sources.startEmbedded();
  }
}

/** A server that a test can take away and bring back at the same address. */
export interface EmbeddedServer {
  /** Of the process that runs now, with which `pauseProcess` stops the server and its sessions. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface EmbeddedStores extends Stores {
  readonly postgres: EmbeddedServer;
  readonly redis: EmbeddedServer;
}

/** Servers that one test owns and may empty, stop and kill. `settings` are those of Postgres over the product's own. */
export async function startEmbedded(settings?: Readonly<Record<string, string>>): Promise<EmbeddedStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aos-test-'));
  const startDatabase = (port?: number) =>
    startPostgres({ dataDir: join(dataDir, 'postgres'), port, settings });
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
    get pid() {
      return current.pid;
    },
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

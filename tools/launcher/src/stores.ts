import { join } from 'node:path';
import {
  type EmbeddedStore,
  findFreePort,
  startPostgres as startEmbeddedPostgres,
  startRedis as startEmbeddedRedis,
} from '@aos/local-infra';
import { gatewayPorts, type LauncherConfig } from './config.js';
import { awaitPostgres, awaitRedis } from './external-stores.js';
import type { ServiceOutput } from './service-output.js';
import { problemsOf, StartError } from './start-error.js';
import type { Supervisor, Unit } from './supervisor.js';

export interface StoreUrls {
  databaseUrl: string;
  redisUrl: string;
}

/** How the embedded servers are started; tests bring their own. */
export interface StoreStarters {
  startPostgres: typeof startEmbeddedPostgres;
  startRedis: typeof startEmbeddedRedis;
}

export const embeddedStores: StoreStarters = {
  startPostgres: startEmbeddedPostgres,
  startRedis: startEmbeddedRedis,
};

export const storeNames = ['postgres', 'redis'] as const;
type StoreName = (typeof storeNames)[number];

export interface StoreContext {
  supervisor: Supervisor;
  output: ServiceOutput;
  starters: StoreStarters;
  env: NodeJS.ProcessEnv;
}

export interface RunningStores {
  /** For people and their tools. */
  urls: StoreUrls;
  /** For the services, which share a machine with embedded stores: by Unix sockets where that can be. */
  serviceUrls: StoreUrls;
  /** What runs, a line for each. */
  descriptions: string[];
}

/** Makes both stores usable: given ones are waited for, else our own are started and kept running. */
export async function startStores(
  config: LauncherConfig,
  { supervisor, output, starters, env }: StoreContext,
): Promise<RunningStores> {
  const taken = gatewayPorts(config);
  const postgresPort = await findFreePort({ exclude: taken });
  const redisPort = await findFreePort({ exclude: [...taken, postgresPort] });
  const optionsOf = (name: StoreName, port: number) => ({
    dataDir: join(config.dataDir, name),
    port,
    log: output.fileOnly(name),
  });
  const own = async (unit: StoreUnit): Promise<Usable> => {
    await supervisor.start(unit);
    return { url: unit.url, serviceUrl: unit.socketUrl ?? unit.url, what: unit.description };
  };
  const startPostgres = () => starters.startPostgres(optionsOf('postgres', postgresPort));
  const startRedis = () => starters.startRedis({ ...optionsOf('redis', redisPort), path: env['PATH'] ?? '' });
  const [postgres, redis] = await both(
    config.databaseUrl
      ? given('DATABASE_URL', awaitPostgres(config.databaseUrl))
      : own(new StoreUnit('postgres', startPostgres)),
    config.redisUrl
      ? given('REDIS_URL', awaitRedis(config.redisUrl))
      : own(new StoreUnit('redis', startRedis)),
  );
  return {
    urls: { databaseUrl: postgres.url, redisUrl: redis.url },
    serviceUrls: { databaseUrl: postgres.serviceUrl, redisUrl: redis.serviceUrl },
    descriptions: [`Postgres: ${postgres.what}`, `Redis: ${redis.what}`],
  };
}

interface Usable {
  url: string;
  serviceUrl: string;
  what: string;
}

async function given(variable: string, ready: Promise<string>): Promise<Usable> {
  const url = await ready;
  return { url, serviceUrl: url, what: `${new URL(url).host} (${variable})` };
}

/** What is wrong with one store must not hide what is wrong with the other. */
async function both(...stores: [Promise<Usable>, Promise<Usable>]): Promise<[Usable, Usable]> {
  const failures = (await Promise.allSettled(stores)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const [first, ...others] = failures.flatMap(problemsOf);
  if (first !== undefined) throw new StartError([first, ...others]);
  return Promise.all(stores);
}

/** Its port, socket and password stay the same, so its addresses do over all its starts. */
class StoreUnit implements Unit {
  url = '';
  socketUrl: string | undefined;
  description = '';

  constructor(
    readonly name: StoreName,
    readonly open: () => Promise<EmbeddedStore>,
  ) {}

  async start(): Promise<EmbeddedStore> {
    const store = await this.open();
    // Its services dial it: on a full disk for instance it cannot be made, and later it can.
    if (this.socketUrl !== undefined && store.socketUrl === undefined) {
      await store.stop();
      throw new Error('its Unix socket cannot be made');
    }
    this.url = store.url;
    this.socketUrl = store.socketUrl;
    this.description = store.description;
    return store;
  }
}

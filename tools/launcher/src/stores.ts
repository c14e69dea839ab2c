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

/** Makes both stores usable: embedded ones are started and kept running, given ones are waited for. */
export async function startStores(
  config: LauncherConfig,
  supervisor: Supervisor,
  output: ServiceOutput,
  starters: StoreStarters,
): Promise<StoreUrls> {
  const taken = gatewayPorts(config);
  const postgresPort = await findFreePort({ exclude: taken });
  const redisPort = await findFreePort({ exclude: [...taken, postgresPort] });
  const embed = async (name: (typeof storeNames)[number], port: number): Promise<string> => {
    const options = { dataDir: join(config.dataDir, name), port, log: output.fileOnly(name) };
    const unit = new StoreUnit(name, () =>
      name === 'postgres' ? starters.startPostgres(options) : starters.startRedis(options),
    );
    await supervisor.start(unit);
    return unit.url;
  };
  const [databaseUrl, redisUrl] = await Promise.all([
    config.databaseUrl ? awaitPostgres(config.databaseUrl) : embed('postgres', postgresPort),
    config.redisUrl ? awaitRedis(config.redisUrl) : embed('redis', redisPort),
  ]);
  return { databaseUrl, redisUrl };
}

/** Its port and password stay the same, so its address does over all its starts. */
class StoreUnit implements Unit {
  url = '';

  constructor(
    readonly name: string,
    readonly open: () => Promise<EmbeddedStore>,
  ) {}

  async start(): Promise<EmbeddedStore> {
    const store = await this.open();
    this.url = store.url;
    return store;
  }
}

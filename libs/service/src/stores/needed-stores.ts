import { isRedisRefusal, pingRedis, type RedisSettings } from '@aos/messaging';
import { isStoreUnavailable, parseDatabaseUrl, pingDatabase, type DatabaseSettings } from '@aos/persistence';
import type { NeededStore } from './store-waits.js';

/** The database, and the server itself where that is a pooler. */
export function neededDatabases({ url, directUrl, applicationName }: DatabaseSettings): NeededStore[] {
  const stores = {
    postgres: directUrl ?? url,
    ...(directUrl && directUrl !== url && { 'postgres-pooler': url }),
  };
  return Object.entries(stores).map(([name, address]) => ({
    name,
    place: hostsOf(parseDatabaseUrl(address)?.hosts ?? []),
    reach: () => pingDatabase(address, applicationName),
    isRefusal: (error) => !isStoreUnavailable(error),
  }));
}

export function neededRedis(settings: RedisSettings): NeededStore {
  return {
    name: 'redis',
    place: settings.sentinel ? hostsOf(settings.sentinel.hosts) : new URL(settings.url).host,
    reach: () => pingRedis(settings),
    isRefusal: isRedisRefusal,
  };
}

function hostsOf(hosts: readonly { readonly host: string; readonly port: number }[]): string {
  return hosts.map(({ host, port }) => `${host}:${port}`).join(',');
}

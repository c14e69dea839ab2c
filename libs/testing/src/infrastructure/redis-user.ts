import { RedisConnections } from '@aos/messaging';

/** A connection to Redis as the user of a URL. */
export interface RedisUser {
  /** Any command. Rejects with what Redis says. */
  call(...command: readonly (string | number)[]): Promise<unknown>;
  close(): void;
}

export function connectRedisUser(url: string): RedisUser {
  const connections = new RedisConnections({ url, prefix: 'test' });
  const redis = connections.connect('test', { maxRetriesPerRequest: 1 });
  return {
    call: (...[name, ...args]) => redis.call(String(name), ...args),
    close: () => connections.close(),
  };
}

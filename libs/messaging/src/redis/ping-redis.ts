import { RedisConnections, type RedisSettings } from './redis-connections.js';

const timeoutMs = 5_000;

/** Resolves when Redis answers; rejects with what stands in the way. */
export async function pingRedis(settings: RedisSettings): Promise<void> {
  let reason: Error | undefined;
  const connections = new RedisConnections(settings, (error) => (reason = error));
  const redis = connections.connect('reach', {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // Its own check takes a refusal for want of a password for readiness; the answer to the PING tells.
    enableReadyCheck: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  try {
    await redis.ping();
  } catch (error) {
    // The rejection says only that the connection is closed.
    throw reason ?? error;
  } finally {
    connections.close();
  }
}

/** Whether Redis answered, and will not have this client. */
export function isRedisRefusal(error: unknown): boolean {
  return error instanceof Error && /^(NOAUTH|WRONGPASS|NOPERM)\b/.test(error.message);
}

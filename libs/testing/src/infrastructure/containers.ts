import type { StoreImages, Stores } from './wanted-stores.js';

export async function dockerAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

export async function startContainers(images: StoreImages): Promise<Stores> {
  const [{ PostgreSqlContainer }, { RedisContainer }] = await Promise.all([
    import('@testcontainers/postgresql'),
    import('@testcontainers/redis'),
  ]);
  const starts = await Promise.allSettled([
    new PostgreSqlContainer(images.postgres)
      .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off'])
      .start(),
    new RedisContainer(images.redis).start(),
  ]);
  const [postgres, redis] = starts;
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled') {
    return {
      origin: `containers of ${images.postgres} and ${images.redis}`,
      databaseUrl: postgres.value.getConnectionUri(),
      redisUrl: redis.value.getConnectionUrl(),
      stop: async () => {
        await Promise.all([postgres.value.stop(), redis.value.stop()]);
      },
    };
  }
  // The one that did start would stay behind.
  for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
  throw starts.find((start) => start.status === 'rejected')!.reason;
}

import { sendEndpointQueue, takeRuns } from '@aos/contracts';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { BenchStack } from './bench-stack.js';

const patienceMs = 60_000;

/** How long after the last run everything that follows it was done: events numbered and consumed, no job left. */
export async function backlogMs({ databaseUrl, redisUrl, environment }: BenchStack): Promise<number> {
  const began = performance.now();
  const client = new pg.Client({ connectionString: databaseUrl });
  const redis = new Redis(redisUrl);
  await client.connect();
  try {
    while (performance.now() - began < patienceMs) {
      const { rows } = await client.query<{ behind: string }>(
        `SELECT (SELECT count(*) FROM runs.outbox_batch WHERE after IS NULL)
              + 2 * (SELECT position FROM runs.outbox_head)
              - (SELECT position FROM agents_and_revisions.event_position WHERE source = 'runs')
              - (SELECT position FROM webhook_dispatcher.event_position WHERE source = 'runs') AS behind`,
      );
      const keys = [takeRuns, sendEndpointQueue].flatMap(({ name }) =>
        ['wait', 'active'].map((state) => `${environment['REDIS_PREFIX']}:jobs:${name}:${state}`),
      );
      const waiting = await Promise.all(keys.map((key) => redis.llen(key)));
      if (Number(rows[0]!.behind) === 0 && waiting.every((jobs) => jobs === 0))
        return performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return Infinity;
  } finally {
    redis.disconnect();
    await client.end();
  }
}

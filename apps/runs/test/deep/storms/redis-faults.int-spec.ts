import { setTimeout as delay } from 'node:timers/promises';
import { ofStorm } from '@aos/testing';
import type { Redis } from 'ioredis';
import { RunTraffic } from '../../run-traffic.js';
import { StormyRuns } from '../../stormy-runs.js';

const faultMs = ofStorm({ short: 4_000, long: 60_000 });
const rounds = ofStorm({ short: 3, long: 20 });
type Fault = (redis: Redis, prefix: string) => Promise<unknown>;

async function keysOf(redis: Redis, pattern: string): Promise<string[]> {
  const keys = await redis.keys(pattern);
  if (keys.length === 0) throw new Error(`Redis has no key like ${pattern}`);
  return keys;
}

async function streamsOf(redis: Redis, prefix: string): Promise<string[]> {
  const keys = await keysOf(redis, `${prefix}*`);
  const types = await Promise.all(keys.map((key) => redis.type(key)));
  return keys.filter((_, index) => types[index] === 'stream');
}

/** For a while Redis takes no writes. */
const refusals: [string, Fault, Fault][] = [
  [
    'is at its maxmemory',
    (redis) => redis.config('SET', 'maxmemory', '1'),
    (redis) => redis.config('SET', 'maxmemory', '0'),
  ],
  [
    'is a replica',
    (redis) => redis.replicaof('127.0.0.1', 1),
    (redis) => redis.call('REPLICAOF', 'NO', 'ONE'),
  ],
];

/** A part of what Redis holds is gone. */
const losses: [string, Fault][] = [
  ['what BullMQ keeps', async (redis, prefix) => redis.del(...(await keysOf(redis, `${prefix}*jobs*`)))],
  ['the streams', async (redis, prefix) => redis.del(...(await streamsOf(redis, prefix)))],
  [
    'the groups of the streams',
    async (redis, prefix) => {
      for (const stream of await streamsOf(redis, prefix)) {
        const groups = (await redis.xinfo('GROUPS', stream)) as string[][];
        for (const group of groups) await redis.xgroup('DESTROY', stream, group[1]!);
      }
    },
  ],
];

describe('runs when Redis fails in part', () => {
  let storm: StormyRuns;
  let traffic: RunTraffic;

  beforeAll(async () => {
    storm = await StormyRuns.start();
    const agentId = await storm.runs.agent(['say one', 'wait 300', 'finish two']);
    traffic = new RunTraffic(storm.runs, storm.database, agentId);
  });

  afterAll(() => storm?.stop());

  it.each(refusals)(
    'are refused, and served again within 15 s: Redis %s',
    async (_, begin, end) => {
      const seen = await traffic.during(100, async (callers) => {
        await callers.isServed(5, 30_000);
        await storm.onRedis(begin);
        try {
          await callers.isDisturbed(10_000);
          await delay(faultMs);
        } finally {
          await storm.onRedis(end);
        }
        await callers.isServed(10, 15_000);
      });
      const outcomes = [...new Set(seen.map(({ outcome }) => outcome))];
      expect([200, 201, 503, 'unavailable']).toEqual(expect.arrayContaining(outcomes));
      expect(await traffic.unexpectedEnds()).toEqual([]);
    },
    faultMs + 120_000,
  );

  it.each(losses)(
    'are served again within 15 s: Redis has lost %s',
    async (_, lose) => {
      const seen = await traffic.during(50, async (callers) => {
        await callers.isServed(5, 30_000);
        for (let round = 0; round < rounds; round += 1) {
          await storm.onRedis(lose);
          await callers.isServed(10, 15_000);
        }
      });
      const outcomes = [...new Set(seen.map(({ outcome }) => outcome))];
      expect([200, 201, 503, 'unavailable']).toEqual(expect.arrayContaining(outcomes));
      expect(await traffic.unexpectedEnds()).toEqual([]);
    },
    rounds * 15_000 + 120_000,
  );
});

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnections } from '@aos/messaging';
import { createLogger } from '@aos/platform';
import { eventually, seededRandom, startRedisMonitor, testEnvironment } from '@aos/testing';
import { aheadMs } from '../src/auth/counted-windows.js';
import { GatewayPresence } from '../src/auth/gateway-presence.js';
import { RateLimits } from '../src/auth/rate-limits.js';

const url = testEnvironment()['REDIS_URL']!;
const limit = 1_000;
const random = seededRandom();

/** What a gateway has of its own. */
class Counter {
  readonly connections: RedisConnections;
  readonly presence: GatewayPresence;
  readonly limits: RateLimits;

  constructor(prefix: string) {
    this.connections = new RedisConnections({ url, prefix });
    const logger = createLogger({ service: 'gateway', level: 'silent' });
    this.presence = new GatewayPresence(this.connections, logger);
    this.limits = new RateLimits(this.connections, this.presence);
  }

  async start(): Promise<this> {
    await this.connections.ping();
    await this.presence.onApplicationBootstrap();
    return this;
  }

  async stop(): Promise<void> {
    await this.presence.onApplicationShutdown();
    this.connections.close();
  }

  async remaining(key: string): Promise<number> {
    return (await this.limits.count(key, limit)).remaining;
  }
}

describe('the count of requests', () => {
  let prefix: string;
  let key: string;
  let counters: Counter[];

  beforeEach(() => {
    prefix = randomUUID();
    key = `credential:${randomUUID()}`;
    counters = [];
  });

  afterEach(async () => {
    await Promise.all(counters.map((counter) => counter.stop()));
  });

  async function start(): Promise<Counter> {
    const counter = new Counter(prefix);
    counters.push(counter);
    return counter.start();
  }

  /** One after another, without a pause. */
  async function inTurn(counter: Counter, requests: number): Promise<number[]> {
    const seen: number[] = [];
    for (let count = 0; count < requests; count += 1) seen.push(await counter.remaining(key));
    return seen;
  }

  /** How often Redis was asked for numbers meanwhile. */
  async function questions(work: () => Promise<unknown>): Promise<number> {
    const monitor = await startRedisMonitor(url);
    await work();
    // What has been sent by then has been seen.
    await eventually(async () => {
      const mark = randomUUID();
      await counters[0]!.connections.shared.echo(mark);
      expect(monitor.commands.some((command) => command.includes(mark))).toBe(true);
    });
    monitor.stop();
    const window = `${prefix}:rate-limit:${key}`;
    return monitor.commands.filter(([name, ...rest]) => name!.startsWith('eval') && rest.includes(window))
      .length;
  }

  const falling = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
  const counted = async () =>
    Number(await counters[0]!.connections.shared.get(`${prefix}:rate-limit:${key}`));

  it('gives each request its number, and asks Redis for few of them when a gateway is alone', async () => {
    const alone = await start();
    const asked = await questions(async () => {
      expect(await inTurn(alone, 300)).toEqual(falling(limit - 1, 300));
    });
    expect(asked).toBeLessThan(100);
  });

  it('gives each of many at the same time its number, in the order in which they came', async () => {
    const alone = await start();
    const bursts: number[][] = [];
    for (let burst = 0; burst < 20; burst += 1) {
      const size = random.whole(1, 30);
      bursts.push(await Promise.all(Array.from({ length: size }, () => alone.remaining(key))));
    }
    const all = bursts.flat();
    expect(all).toEqual(falling(limit - 1, all.length));
  });

  it('takes back what was taken ahead and not used', async () => {
    const alone = await start();
    await inTurn(alone, 50);
    expect(await counted()).toBeGreaterThan(50);
    await pause(2 * aheadMs);
    expect(await alone.remaining(key)).toBe(limit - 51);
    expect(await counted()).toBe(51);
  });

  it('does not take it back from a window that is over', async () => {
    const alone = await start();
    await inTurn(alone, 50);
    await alone.connections.shared.del(`${prefix}:rate-limit:${key}`);
    await pause(2 * aheadMs);
    expect(await alone.remaining(key)).toBe(limit - 1);
  });

  it('takes nothing ahead for who asks seldom', async () => {
    const alone = await start();
    for (let count = 1; count <= 3; count += 1) {
      expect(await alone.remaining(key)).toBe(limit - count);
      expect(await counted()).toBe(count);
      await pause(2 * aheadMs);
    }
  });

  it('takes nothing ahead beside another gateway, until that is gone', async () => {
    const [one, two] = [await start(), await start()];
    for (let count = 0; count < 20; count += 1)
      for (const gateway of [one, two]) await gateway.remaining(key);
    expect(await counted()).toBe(40);
    await two.stop();
    counters.pop();
    expect(await questions(() => inTurn(one, 40))).toBeLessThan(40);
  });

  it('never rises for a client while a gateway comes beside one that took numbers ahead', async () => {
    const one = await start();
    for (let round = 0; round < 5; round += 1) {
      key = `credential:${randomUUID()}`;
      const seen = await inTurn(one, 40);
      const [two] = await Promise.all([start(), inTurn(one, 40).then((more) => seen.push(...more))]);
      for (let count = 0; count < 40; count += 1) {
        const gateway = random.fraction() < 0.5 ? one : two;
        seen.push(await gateway.remaining(key));
      }
      expect(seen).toEqual(seen.toSorted((a, b) => b - a));
      expect(new Set(seen).size).toBe(seen.length);
      await two.stop();
      counters.pop();
    }
  });

  it('lets no more pass than the limit, whoever comes and goes', async () => {
    const one = await start();
    const flood = async (gateway: Counter) => {
      const states = await Promise.all(Array.from({ length: 40 }, () => gateway.limits.count(key, 100)));
      return states.filter(({ allowed }) => allowed).length;
    };
    let passed = await flood(one);
    passed += (await inTurn(one, 20)).length;
    const two = await start();
    for (const gateway of [two, one, two, one]) passed += await flood(gateway);
    // What was taken ahead when the other came is lost to both.
    expect(passed).toBeLessThanOrEqual(100);
    expect(passed).toBeGreaterThanOrEqual(100 - 32);
  });

  it('goes on one by one where Redis has forgotten who is there, and by itself where Redis is gone', async () => {
    const alone = await start();
    await inTurn(alone, 20);
    await alone.connections.shared.del(alone.presence.key, `${prefix}:rate-limit:${key}`);
    await pause(2 * aheadMs);
    expect(await inTurn(alone, 20)).toEqual(falling(limit - 1, 20));
    expect(await counted()).toBe(20);
    alone.connections.close();
    expect(await inTurn(alone, 3)).toEqual(falling(limit - 1, 3));
  });
});

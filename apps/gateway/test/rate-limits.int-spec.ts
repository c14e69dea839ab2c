import { randomUUID } from 'node:crypto';
import { RedisConnections } from '@aos/messaging';
import { eventually, seededRandom, startRedisMonitor, testEnvironment } from '@aos/testing';
import { RateLimits } from '../src/auth/rate-limits.js';

const url = testEnvironment()['REDIS_URL']!;
const limit = 1_000;
const random = seededRandom();

/** The part of a gateway that counts requests. */
class Counter {
  readonly connections: RedisConnections;
  readonly limits: RateLimits;

  constructor(prefix: string) {
    this.connections = new RedisConnections({ url, prefix });
    this.limits = new RateLimits(this.connections);
  }

  async remaining(key: string, requests = 1): Promise<number> {
    return (await this.limits.count(key, limit, requests)).remaining;
  }
}

describe('the count of requests', () => {
  let prefix: string;
  let key: string;
  let one: Counter;
  let two: Counter;

  beforeEach(async () => {
    prefix = randomUUID();
    one = new Counter(prefix);
    two = new Counter(prefix);
    // A gateway whose connection is not open yet counts alone.
    for (const counter of [one, two]) {
      await eventually(async () => {
        key = `credential:${randomUUID()}`;
        await counter.remaining(key);
        expect(await counted()).toBe(1);
      });
    }
    key = `credential:${randomUUID()}`;
  });

  afterEach(() => {
    for (const { connections } of [one, two]) connections.close();
  });

  const window = () => `${prefix}:rate-limit:${key}`;
  const counted = async () => Number(await one.connections.shared.get(window()));
  const falling = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

  async function inTurn(requests: number, choose: () => Counter): Promise<number[]> {
    const seen: number[] = [];
    for (let count = 0; count < requests; count += 1) seen.push(await choose().remaining(key));
    return seen;
  }

  it('gives each request its number, whichever gateway it comes to', async () => {
    const either = () => (random.fraction() < 0.5 ? one : two);
    expect(await inTurn(100, either)).toEqual(falling(limit - 1, 100));
  });

  it('gives each of many requests at once its number, in the order in which they came', async () => {
    const seen = await Promise.all(Array.from({ length: 50 }, () => one.remaining(key)));
    expect(seen).toEqual(falling(limit - 1, 50));
  });

  it('lets exactly as many pass as the limit says, whatever comes to which gateway', async () => {
    const states = await Promise.all(
      Array.from({ length: 150 }, (_, index) => (index % 2 ? one : two).limits.count(key, 100)),
    );
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(100);
  });

  it('counts the messages of a batch with one command', async () => {
    const monitor = await startRedisMonitor(url);
    expect(await one.remaining(key, 50)).toBe(limit - 50);
    // The monitor has seen what was sent before the mark.
    const mark = randomUUID();
    await one.connections.shared.echo(mark);
    await eventually(() => expect(monitor.commands.some((command) => command.includes(mark))).toBe(true));
    monitor.stop();
    const scripts = monitor.commands.filter(
      ([name, ...rest]) => name!.startsWith('eval') && rest.includes(window()),
    );
    expect(scripts).toHaveLength(1);
  });

  it('begins a window when Redis says that the one before is over', async () => {
    await one.remaining(key);
    await one.connections.shared.pexpire(window(), 30_000);
    const second = await two.limits.count(key, limit);
    expect(second.remaining).toBe(limit - 2);
    expect(second.resetSeconds).toBeLessThanOrEqual(30);
    await one.connections.shared.del(window());
    const first = await two.limits.count(key, limit);
    expect(first.remaining).toBe(limit - 1);
    expect(first.resetSeconds).toBeGreaterThan(30);
  });

  it('goes on without Redis: each gateway counts alone', async () => {
    await inTurn(5, () => one);
    one.connections.close();
    expect(await inTurn(3, () => one)).toEqual(falling(limit - 1, 3));
    expect(await two.remaining(key)).toBe(limit - 6);
  });
});

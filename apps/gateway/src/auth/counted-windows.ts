import { rateLimits } from '@aos/contracts';
import { RedisConnections } from '@aos/messaging';
import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** How long numbers that were taken ahead are good. */
export const aheadMs = 200;

const windowSeconds = 60;
/** A Redis that is gone refuses at once; one that is merely slow must not cost the common count its exactness. */
const redisPatienceMs = 2_000;

/** What is wanted of a window, and what is left of what was taken before. */
export interface Wanted {
  readonly key: string;
  readonly numbers: number;
  readonly ahead: number;
  readonly unused: number;
}

/** Numbers of requests within a window. */
export interface Taken {
  readonly first: number;
  /** How many of them were taken ahead. */
  readonly ahead: number;
  readonly msLeft: number;
}

/** Who takes them: only one that no other is beside, by what Redis knows, gets numbers ahead. */
export interface Taker {
  readonly id: string;
  /** Where all of them are listed. */
  readonly key: string;
}

/**
 * KEYS: the window, the gateways. ARGV: numbers, ahead, unused, seconds, who asks. What was not used is given
 * back only if nobody else can have counted behind it, and if the window is still the one that it was taken from.
 */
const takeNumbers = `
local now = 1000 * redis.call('time')[1]
local alone = redis.call('zcount', KEYS[2], '(' .. now, '+inf') == 1 and redis.call('zscore', KEYS[2], ARGV[5])
local ahead = alone and tonumber(ARGV[2]) or 0
local points = tonumber(ARGV[1]) + ahead
if alone and redis.call('exists', KEYS[1]) == 1 then points = points - tonumber(ARGV[3]) end
redis.call('set', KEYS[1], 0, 'EX', ARGV[4], 'NX')
local last = redis.call('incrby', KEYS[1], points)
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('expire', KEYS[1], ARGV[4])
  left = 1000 * tonumber(ARGV[4])
end
return {last, ahead, left}`;

interface Commands {
  takeNumbers(...args: (string | number)[]): Promise<[last: number, ahead: number, left: number]>;
}

/** Windows of a minute in which all gateways count together. Without Redis each counts for itself. */
export class CountedWindows {
  private readonly redis: Redis & Commands;
  private readonly own = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });
  private readonly keyOf: (key: string) => string;

  constructor(
    connections: RedisConnections,
    private readonly taker: Taker,
  ) {
    this.keyOf = (key) => connections.key(rateLimits.name, key);
    this.redis = connections.connect('rate-limits', {
      enableOfflineQueue: false,
      commandTimeout: redisPatienceMs,
      maxRetriesPerRequest: 0,
      scripts: { takeNumbers: { lua: takeNumbers, numberOfKeys: 2 } },
    }) as Redis & Commands;
  }

  async take({ key, numbers, ahead, unused }: Wanted): Promise<Taken> {
    const { id, key: takers } = this.taker;
    try {
      const [last, taken, msLeft] = await this.redis.takeNumbers(
        this.keyOf(key),
        takers,
        numbers,
        ahead,
        unused,
        windowSeconds,
        id,
      );
      return { first: last - taken - numbers + 1, ahead: taken, msLeft };
    } catch {
      const { consumedPoints, msBeforeNext } = await this.own.consume(key, numbers);
      return { first: consumedPoints - numbers + 1, ahead: 0, msLeft: msBeforeNext };
    }
  }
}

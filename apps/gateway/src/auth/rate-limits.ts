import { RedisConnections } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimitState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window is new. */
  readonly resetSeconds: number;
}

interface Turn {
  readonly waiting: { resolve: (position: Counted) => void; reject: (error: unknown) => void }[];
}

interface Counted {
  /** Which request of the window this is. */
  readonly number: number;
  readonly msLeft: number;
}

const windowSeconds = 60;
/** A Redis that is gone refuses at once; one that is merely slow must not cost the common count its exactness. */
const redisPatienceMs = 2_000;

/**
 * Counts requests in windows of a minute, for all gateways together. The requests of one key in one turn of the
 * event loop are counted with one command. Without Redis each gateway counts for itself.
 */
@Injectable()
export class RateLimits {
  private readonly limiter: RateLimiterRedis;
  private readonly turns = new Map<string, Turn>();

  constructor(connections: RedisConnections) {
    const window = { points: Number.MAX_SAFE_INTEGER, duration: windowSeconds };
    this.limiter = new RateLimiterRedis({
      ...window,
      storeClient: connections.connect('rate-limits', {
        enableOfflineQueue: false,
        commandTimeout: redisPatienceMs,
        maxRetriesPerRequest: 0,
      }),
      keyPrefix: connections.key('rate-limit'),
      insuranceLimiter: new RateLimiterMemory(window),
    });
  }

  async count(key: string, limit: number): Promise<RateLimitState> {
    const { number, msLeft } = await this.next(key);
    return {
      allowed: number <= limit,
      limit,
      remaining: Math.max(0, limit - number),
      resetSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
    };
  }

  private next(key: string): Promise<Counted> {
    return new Promise((resolve, reject) => {
      const turn = this.turns.get(key);
      if (turn) {
        turn.waiting.push({ resolve, reject });
        return;
      }
      this.turns.set(key, { waiting: [{ resolve, reject }] });
      setImmediate(() => void this.consume(key));
    });
  }

  private async consume(key: string): Promise<void> {
    const { waiting } = this.turns.get(key)!;
    this.turns.delete(key);
    try {
      const counted: RateLimiterRes = await this.limiter.consume(key, waiting.length);
      const before = counted.consumedPoints - waiting.length;
      waiting.forEach(({ resolve }, index) =>
        resolve({ number: before + index + 1, msLeft: counted.msBeforeNext }),
      );
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

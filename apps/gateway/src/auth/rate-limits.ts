import { rateLimits } from '@aos/contracts';
import { RedisConnections } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

export interface RateLimitState {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the window is new. */
  readonly resetSeconds: number;
}

/** The limit of a key depends on its caller, so the library counts and never refuses. */
const windows = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/** Redis that is down refuses at once; Redis that is slow must not cost the common count its exactness. */
const commandTimeoutMs = 2_000;

/** Counts requests in windows of a minute, for all gateways together. Without Redis each gateway counts alone. */
@Injectable()
export class RateLimits {
  private readonly limiter: RateLimiterRedis;

  constructor(connections: RedisConnections) {
    this.limiter = new RateLimiterRedis({
      ...windows,
      storeClient: connections.connect('rate-limits', {
        enableOfflineQueue: false,
        commandTimeout: commandTimeoutMs,
        maxRetriesPerRequest: 0,
      }),
      keyPrefix: connections.key(rateLimits.name),
      insuranceLimiter: new RateLimiterMemory(windows),
    });
  }

  /** Counts requests with one command, whether they are allowed or not. */
  async count(key: string, limit: number, requests = 1): Promise<RateLimitState> {
    const { consumedPoints, msBeforeNext } = await this.limiter.consume(key, requests);
    return {
      allowed: consumedPoints <= limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    };
  }
}

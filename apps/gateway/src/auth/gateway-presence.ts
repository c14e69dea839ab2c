import { setTimeout as pause } from 'node:timers/promises';
import { presentGateways } from '@aos/contracts';
import { RedisConnections } from '@aos/messaging';
import { newId } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { aheadMs } from './counted-windows.js';

const tellEveryMs = 20_000;
/** One that does not tell for so long, by the clock of Redis, is taken to be gone. */
const forgottenAfterMs = 60_000;

/**
 * Tells the other gateways in Redis that this one is there: one that is alone takes numbers of the rate limits ahead.
 * Before it serves, a gateway that is not alone waits until the others have used up or forgotten theirs.
 */
@Injectable()
export class GatewayPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly id = newId();
  /** A sorted set of gateways; the score is when each is forgotten. */
  readonly key: string;
  private readonly redis: Redis;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    connections: RedisConnections,
    private readonly logger: Logger,
  ) {
    this.key = connections.key(presentGateways.name);
    this.redis = connections.shared;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.tell(), tellEveryMs).unref();
    // Redis may be away; then nobody takes anything ahead.
    const others = await Promise.race([this.tell(), pause(aheadMs, 0, { ref: false })]);
    if (others > 0) await pause(2 * aheadMs);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.redis.status === 'ready') await this.redis.zrem(this.key, this.id).catch(() => undefined);
  }

  /** Gives the number of the others. */
  private async tell(): Promise<number> {
    try {
      const [seconds] = await this.redis.time();
      const now = Number(seconds) * 1_000;
      const answers = await this.redis
        .multi()
        .zremrangebyscore(this.key, '-inf', now)
        .zadd(this.key, now + forgottenAfterMs, this.id)
        .zcard(this.key)
        .exec();
      return Number(answers?.[2]?.[1] ?? 1) - 1;
    } catch (error) {
      this.logger.debug({ err: error }, 'other gateways were not told of this one');
      return 0;
    }
  }
}

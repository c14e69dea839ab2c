import { verifiedCredentials } from '@aos/contracts';
import { RedisConnections } from '@aos/messaging';
import { hashToken } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';

/** A client that calls once a day is known when it comes again. */
const knownForSeconds = 24 * 3600;
/** How often the other gateways are told of one that is in use. */
const reportEveryMs = 3600_000;
const maxEntries = 10_000;
const redisPatienceMs = 1_000;

/**
 * Credentials that were good a while ago, for all gateways together. That one was verified grants nothing: it is
 * looked up like any other, where a stranger's would be refused unseen.
 */
@Injectable()
export class VerifiedCredentials {
  private readonly reportedAt = new Map<string, number>();
  private readonly redis: Redis;

  constructor(private readonly connections: RedisConnections) {
    this.redis = connections.connect('verified-credentials', {
      enableOfflineQueue: false,
      commandTimeout: redisPatienceMs,
      maxRetriesPerRequest: 0,
    });
  }

  add(credential: string): void {
    const now = performance.now();
    const reportedAt = this.reportedAt.get(credential);
    if (reportedAt !== undefined && now - reportedAt < reportEveryMs) return;
    this.reportedAt.delete(credential);
    this.reportedAt.set(credential, now);
    if (this.reportedAt.size > maxEntries) this.reportedAt.delete(this.reportedAt.keys().next().value!);
    // Without Redis each gateway knows those that it has seen itself.
    this.redis.set(this.keyOf(credential), '1', 'EX', knownForSeconds).catch(() => undefined);
  }

  async has(credential: string): Promise<boolean> {
    if (this.reportedAt.has(credential)) return true;
    return this.redis.exists(this.keyOf(credential)).then(
      (count) => count === 1,
      () => false,
    );
  }

  /** It is no longer good. */
  remove(credential: string): void {
    this.reportedAt.delete(credential);
    this.redis.del(this.keyOf(credential)).catch(() => undefined);
  }

  private keyOf(credential: string): string {
    return this.connections.key(verifiedCredentials.name, hashToken(`verified ${credential}`));
  }
}

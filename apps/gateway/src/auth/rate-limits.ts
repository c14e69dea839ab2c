import { RedisConnections } from '@aos/messaging';
import { TransientMap } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { aheadMs, CountedWindows } from './counted-windows.js';
import { GatewayPresence } from './gateway-presence.js';

export interface RateLimitState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window is new. */
  readonly resetSeconds: number;
}

interface Waiting {
  readonly resolve: (counted: Counted) => void;
  readonly reject: (error: unknown) => void;
}

interface Counted {
  /** Which request of the window this is. */
  readonly number: number;
  readonly msLeft: number;
}

/** What was last taken from a window. */
interface Block {
  next: number;
  readonly first: number;
  readonly last: number;
  readonly takenAt: number;
  /** How long what was taken ahead is good. */
  readonly goodUntil: number;
  readonly resetAt: number;
}

const mostAhead = 32;
/** Then those that are no longer good are forgotten. */
const manyBlocks = 10_000;

/**
 * Counts requests in windows of a minute, for all gateways together. The requests of one key in one turn of the event
 * loop, and those that come while a command for it is under way, are counted with one command. A gateway that is alone
 * takes numbers ahead for whoever asks often: as many as it used lately, good for a moment, so that no other comes
 * between and a client sees each number once, in order.
 */
@Injectable()
export class RateLimits {
  private readonly windows: CountedWindows;
  /** Of keys for which a command is under way, or about to be. */
  private readonly waiting = new TransientMap<string, Waiting[]>();
  private readonly blocks = new Map<string, Block>();

  constructor(connections: RedisConnections, presence: GatewayPresence) {
    this.windows = new CountedWindows(connections, presence);
  }

  async count(key: string, limit: number): Promise<RateLimitState> {
    const { number, msLeft } = this.known(key) ?? (await this.next(key));
    return {
      allowed: number <= limit,
      limit,
      remaining: Math.max(0, limit - number),
      resetSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
    };
  }

  /** The next of the numbers that were taken ahead. */
  private known(key: string): Counted | undefined {
    const block = this.blocks.get(key);
    const now = performance.now();
    if (!block || block.next > block.last || now >= block.goodUntil) return undefined;
    block.next += 1;
    return { number: block.next - 1, msLeft: block.resetAt - now };
  }

  private next(key: string): Promise<Counted> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(key);
      if (waiting) {
        waiting.push({ resolve, reject });
        return;
      }
      this.waiting.set(key, [{ resolve, reject }]);
      setImmediate(() => void this.serve(key));
    });
  }

  private async serve(key: string): Promise<void> {
    for (;;) {
      const waiting = this.waiting.get(key)!;
      if (waiting.length === 0) break;
      this.waiting.set(key, []);
      try {
        await this.take(key, waiting);
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
      this.serveAhead(key);
    }
    this.waiting.delete(key);
  }

  private async take(key: string, waiting: readonly Waiting[]): Promise<void> {
    const before = this.blocks.get(key);
    this.blocks.delete(key);
    const takenAt = performance.now();
    const { first, ahead, msLeft } = await this.windows.take({
      key,
      numbers: waiting.length,
      ahead: wantedAhead(before, takenAt),
      unused: before ? before.last - before.next + 1 : 0,
    });
    const next = first + waiting.length;
    const resetAt = performance.now() + msLeft;
    const goodUntil = Math.min(takenAt + aheadMs, resetAt);
    this.keep(key, { next, first, last: next + ahead - 1, takenAt, goodUntil, resetAt });
    waiting.forEach(({ resolve }, index) => resolve({ number: first + index, msLeft }));
  }

  /** Those that came while the command was under way, as far as numbers were taken ahead. */
  private serveAhead(key: string): void {
    const waiting = this.waiting.get(key)!;
    for (let counted; waiting.length > 0 && (counted = this.known(key));) waiting.shift()!.resolve(counted);
  }

  private keep(key: string, block: Block): void {
    if (this.blocks.size >= manyBlocks) {
      for (const [other, { goodUntil }] of this.blocks)
        if (goodUntil <= block.takenAt) this.blocks.delete(other);
    }
    this.blocks.set(key, block);
  }
}

/** As many as were used since the last time, if that was just now. */
function wantedAhead(before: Block | undefined, now: number): number {
  if (!before || now - before.takenAt >= aheadMs) return 0;
  return Math.min(mostAhead, before.next - before.first);
}

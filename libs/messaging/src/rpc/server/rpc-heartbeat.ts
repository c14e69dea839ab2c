import type { Redis } from 'ioredis';
import { encodeAnswers } from '../wire/rpc-frames.js';
import type { RequestHead } from '../wire/request-frames.js';

const tellEveryMs = 3_000;

/**
 * Tells callers that wait for long that their requests are in hand. A request belongs to the process that took it; when
 * that one dies nobody answers, and a caller that hears nothing more need not wait for its deadline.
 */
export class RpcHeartbeat {
  private readonly requests = new Set<RequestHead>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly redis: Redis) {}

  /** From now on, at once for the first time. Returns what ends it. */
  begin(head: RequestHead): () => void {
    this.requests.add(head);
    this.timer ??= setInterval(() => this.tellAll(), tellEveryMs).unref();
    this.tell(head);
    return () => {
      this.requests.delete(head);
      if (this.requests.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private tellAll(): void {
    for (const head of this.requests) this.tell(head);
  }

  private tell({ replyTo, id }: RequestHead): void {
    // While Redis is away nobody is told, and no caller counts the silence.
    if (this.redis.status !== 'ready') return;
    this.redis
      .publish(replyTo, encodeAnswers([{ head: { id, isAtWork: true }, body: '' }]))
      .catch(() => undefined);
  }
}

import type { Redis } from 'ioredis';
import { uuidv7 } from 'uuidv7';
import { assertPipeline } from '../../redis/redis-connections.js';
import { inParts, messageBytes, publishedBytes } from './answer-sizes.js';
import { encodeAnswers, type Answer } from '../wire/rpc-frames.js';

export interface AnswerBatcherOptions {
  readonly redis: Redis;
  /** Where an answer may wait for its caller. */
  readonly waitingKey: (replyTo: string, id: string) => string;
  readonly onError: (error: unknown) => void;
}

interface Caller {
  readonly replyTo: string;
  /** The stream that the request came from. */
  readonly stream: string;
  readonly entryId: string;
  /** Whether it knows how to get an answer that waits; replicas of the version before do not. */
  readonly fetches?: boolean;
}

/** A caller gets it at once, or is gone. */
const waitingSeconds = 30;

/**
 * Collects the answers of one turn of the event loop: few messages for each caller, one deletion for all entries.
 * Redis cuts off a subscriber that has more than some megabytes before it, so large answers do not go that way.
 */
export class AnswerBatcher {
  /** A new one for each flush: see `TransientMap` for what one that is cleared would keep. */
  private answers = new Map<string, Answer[]>();
  private large: { readonly key: string; readonly body: string }[] = [];
  private entryIds = new Map<string, string[]>();
  private scheduled = false;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: AnswerBatcherOptions) {}

  add({ replyTo, stream, entryId, fetches }: Caller, answer: Answer): void {
    const published =
      fetches && Buffer.byteLength(answer.body) > publishedBytes ? this.keepWaiting(replyTo, answer) : answer;
    const together = this.answers.get(replyTo);
    if (together) together.push(published);
    else this.answers.set(replyTo, [published]);
    this.drop(stream, entryId);
  }

  /** Removes a request that gets no answer. */
  drop(stream: string, entryId: string): void {
    const together = this.entryIds.get(stream);
    if (together) together.push(entryId);
    else this.entryIds.set(stream, [entryId]);
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Resolves when everything added so far has reached Redis, or Redis has refused it, or is not there. */
  async settle(): Promise<void> {
    if (this.scheduled) this.flush();
    if (this.options.redis.status === 'ready') await this.sending;
  }

  private keepWaiting(replyTo: string, { head, body }: Answer): Answer {
    const key = this.options.waitingKey(replyTo, uuidv7());
    this.large.push({ key, body });
    return { head: { ...head, waitsAt: key }, body: '' };
  }

  private flush(): void {
    this.scheduled = false;
    if (this.entryIds.size === 0) return;
    const pipeline = this.options.redis.pipeline();
    for (const { key, body } of this.large) pipeline.set(key, body, 'EX', waitingSeconds);
    for (const [replyTo, answers] of this.answers) {
      for (const part of inParts(answers, ({ body }) => Buffer.byteLength(body), messageBytes)) {
        pipeline.publish(replyTo, encodeAnswers(part));
      }
    }
    for (const [stream, ids] of this.entryIds) pipeline.xdel(stream, ...ids);
    this.answers = new Map();
    this.large = [];
    this.entryIds = new Map();
    this.sending = pipeline.exec().then(assertPipeline).catch(this.options.onError);
  }
}

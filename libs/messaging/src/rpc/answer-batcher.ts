import type { Redis } from 'ioredis';
import { assertPipeline } from '../redis/pipeline-result.js';
import { encodeAnswers, type Answer } from './rpc-frames.js';

/** Collects the answers of one turn of the event loop: one message for each caller, one deletion for all entries. */
export class AnswerBatcher {
  private readonly answers = new Map<string, Answer[]>();
  private entryIds: string[] = [];
  private scheduled = false;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly redis: Redis,
    private readonly streamKey: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  add(replyTo: string, entryId: string, answer: Answer): void {
    const waiting = this.answers.get(replyTo);
    if (waiting) waiting.push(answer);
    else this.answers.set(replyTo, [answer]);
    this.drop(entryId);
  }

  /** Removes a request that gets no answer. */
  drop(entryId: string): void {
    this.entryIds.push(entryId);
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Resolves when everything added so far has reached Redis, or Redis has refused it, or is not there. */
  async settle(): Promise<void> {
    if (this.scheduled) this.flush();
    if (this.redis.status === 'ready') await this.sending;
  }

  private flush(): void {
    this.scheduled = false;
    if (this.entryIds.length === 0) return;
    const pipeline = this.redis.pipeline();
    for (const [replyTo, answers] of this.answers) pipeline.publish(replyTo, encodeAnswers(answers));
    pipeline.xdel(this.streamKey, ...this.entryIds);
    this.answers.clear();
    this.entryIds = [];
    this.sending = pipeline.exec().then(assertPipeline).catch(this.onError);
  }
}

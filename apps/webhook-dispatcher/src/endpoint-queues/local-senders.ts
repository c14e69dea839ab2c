import { Injectable } from '@nestjs/common';
import type { LeasedQueue } from './endpoint-queues.repository.js';

/** The work of this process on one queue. */
export interface Sender {
  readonly queue: LeasedQueue;
  /** Something was added or changed. */
  wake(): void;
  /** The queue is in other hands. */
  abort(): void;
}

/** The queues that this process works on. */
@Injectable()
export class LocalSenders {
  private readonly senders = new Map<string, Sender>();

  /** False if the queue is not worked on here. */
  wake(queueId: string): boolean {
    const sender = this.senders.get(queueId);
    sender?.wake();
    return sender !== undefined;
  }

  add(queueId: string, sender: Sender): void {
    this.senders.set(queueId, sender);
  }

  remove(queueId: string): void {
    this.senders.delete(queueId);
  }

  all(): Sender[] {
    return [...this.senders.values()];
  }
}

import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

interface ReadyQueueEvents {
  /** The queue may have a case that can be taken, or a trigger that may take one. */
  ready: [queueId: string];
}

/** Tells, in this process, of queues that are worth a look. What is lost with the process is found by the dispatch itself. */
@Injectable()
export class ReadyQueues extends EventEmitter<ReadyQueueEvents> {
  wake(queueId: string): void {
    this.emit('ready', queueId);
  }
}

import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { QueueDispatch } from './queue-dispatch.js';
import { EndpointQueuesRepository, type QueueOwner } from './endpoint-queues.repository.js';

/** Notes changes of a queue, within the transaction that makes them, and wakes its sender. */
@Injectable()
export class QueueWakes {
  constructor(
    private readonly queues: EndpointQueuesRepository,
    private readonly dispatch: QueueDispatch,
    private readonly transactions: Transactions,
  ) {}

  async wake(owner: QueueOwner): Promise<void> {
    const woken = await this.queues.wake(owner);
    this.transactions.afterCommit(() => this.dispatch.wake(woken));
  }

  /** A webhook has a queue of its own, of its own id. */
  wakeWebhook(teamId: string, id: string): Promise<void> {
    return this.wake({ queueId: id, teamId, subscriptionId: id });
  }
}

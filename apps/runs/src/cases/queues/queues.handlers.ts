import {
  createQueue,
  deleteQueue,
  getQueue,
  listQueueAgents,
  listQueues,
  type Req,
  updateQueue,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { type CountedQueue, QueuesService, toQueue } from './queues.service.js';

@Controller()
export class QueuesHandlers {
  constructor(private readonly queues: QueuesService) {}

  @Handles(listQueues)
  async listQueues({ teamId, query }: Req<typeof listQueues>) {
    return listAnswer('queues', await this.queues.page(teamId, query), toQueue);
  }

  @Handles(createQueue)
  async createQueue({ teamId, body }: Req<typeof createQueue>) {
    return oneQueue(await this.queues.create(teamId, body.name, body.description ?? null));
  }

  @Handles(getQueue)
  async getQueue({ teamId, params }: Req<typeof getQueue>) {
    return oneQueue(await this.queues.get(teamId, params.queue_id));
  }

  @Handles(updateQueue)
  async updateQueue({ teamId, params, body }: Req<typeof updateQueue>) {
    return oneQueue(await this.queues.update(teamId, params.queue_id, body));
  }

  @Handles(deleteQueue)
  deleteQueue({ teamId, principal, params, keyRecord }: Req<typeof deleteQueue>) {
    return this.queues.delete(teamId, params.queue_id, principal, keyRecord);
  }

  @Handles(listQueueAgents)
  listQueueAgents({ teamId, params }: Req<typeof listQueueAgents>) {
    return this.queues.agents(teamId, params.queue_id);
  }
}

function oneQueue(queue: CountedQueue) {
  return { queue_id: queue.id, queue: toQueue(queue) };
}

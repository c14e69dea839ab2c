import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EndpointQueuesModule } from '../endpoint-queues/endpoint-queues.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { EndpointQueueJobs } from './endpoint-queue.jobs.js';
import { QueueSenders } from './queue-senders.js';
import { OutcomeWriter } from './outcome-writer.js';

/** Sends what is due. */
@Module({
  imports: [DeliveriesModule, EndpointQueuesModule, SecretsModule],
  providers: [EndpointQueueJobs, QueueSenders, OutcomeWriter],
})
export class SendingModule {}

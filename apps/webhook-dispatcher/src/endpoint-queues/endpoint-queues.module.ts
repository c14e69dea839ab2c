import { Module } from '@nestjs/common';
import { EndpointQueuesRepository } from './endpoint-queues.repository.js';
import { QueueDispatch } from './queue-dispatch.js';
import { QueueWakes } from './queue-wakes.js';
import { LocalSenders } from './local-senders.js';

@Module({
  providers: [EndpointQueuesRepository, QueueDispatch, QueueWakes, LocalSenders],
  exports: [EndpointQueuesRepository, QueueDispatch, QueueWakes, LocalSenders],
})
export class EndpointQueuesModule {}

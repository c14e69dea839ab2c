import { Module } from '@nestjs/common';
import { EndpointQueuesModule } from '../endpoint-queues/endpoint-queues.module.js';
import { SubscriptionsHandlers } from './subscriptions.handlers.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

/** The webhooks of teams. */
@Module({
  imports: [EndpointQueuesModule],
  controllers: [SubscriptionsHandlers],
  providers: [SubscriptionsService, SubscriptionsRepository],
  exports: [SubscriptionsService],
})
export class SubscriptionsModule {}

import { Module } from '@nestjs/common';
import { EndpointQueuesModule } from '../endpoint-queues/endpoint-queues.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { DeliveriesHandlers } from './deliveries.handlers.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryEnds } from './delivery-ends.js';
import { Replays } from './replays.js';
import { ReplaysRepository } from './replays.repository.js';

/** Deliveries as people see them, and those that are made again. */
@Module({
  imports: [EndpointQueuesModule, SubscriptionsModule],
  controllers: [DeliveriesHandlers],
  providers: [DeliveriesService, DeliveriesRepository, DeliveryEnds, Replays, ReplaysRepository],
  exports: [DeliveryEnds],
})
export class DeliveriesModule {}

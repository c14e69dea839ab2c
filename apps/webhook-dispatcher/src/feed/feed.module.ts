import { Module } from '@nestjs/common';
import { EndpointQueuesModule } from '../endpoint-queues/endpoint-queues.module.js';
import { FeedHandlers } from './feed.handlers.js';
import { FeedIntake } from './feed-intake.events.js';
import { FeedRepository } from './feed.repository.js';
import { FanOut } from './fan-out.js';
import { FanOutRepository } from './fan-out.repository.js';

/** The events of each team, and the deliveries that they become. */
@Module({
  imports: [EndpointQueuesModule],
  controllers: [FeedHandlers],
  providers: [FeedIntake, FeedRepository, FanOut, FanOutRepository],
})
export class FeedModule {}

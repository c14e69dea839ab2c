import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EndpointQueuesModule } from '../endpoint-queues/endpoint-queues.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { LaneJobs } from './lane.jobs.js';
import { LaneDrains } from './lane-drains.js';
import { OutcomeWriter } from './outcome-writer.js';

/** Sends what is due. */
@Module({
  imports: [DeliveriesModule, EndpointQueuesModule, SecretsModule],
  providers: [LaneJobs, LaneDrains, OutcomeWriter],
})
export class SendingModule {}

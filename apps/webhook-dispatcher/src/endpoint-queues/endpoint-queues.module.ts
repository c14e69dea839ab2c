import { Module } from '@nestjs/common';
import { LanesRepository } from './lanes.repository.js';
import { LaneDispatch } from './lane-dispatch.js';
import { LaneWakes } from './lane-wakes.js';
import { DrainsHere } from './drains-here.js';

/** What waits for each receiver, and which process works on it. */
@Module({
  providers: [LanesRepository, LaneDispatch, LaneWakes, DrainsHere],
  exports: [LanesRepository, LaneDispatch, LaneWakes, DrainsHere],
})
export class EndpointQueuesModule {}

import { Module } from '@nestjs/common';
import { HumanRequestsModule } from '../human-requests/human-requests.module.js';
import { RunStops } from './run-stops.js';
import { StopSweeps } from './stop-sweeps.js';

/** How runs are stopped, whatever the reason. */
@Module({
  imports: [HumanRequestsModule],
  providers: [RunStops, StopSweeps],
  exports: [RunStops, StopSweeps],
})
export class RunStopsModule {}

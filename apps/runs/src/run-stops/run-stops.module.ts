import { Module } from '@nestjs/common';
import { HumanRequestsModule } from '../human-requests/human-requests.module.js';
import { RunStops } from './run-stops.js';

/** How runs are stopped, whoever wants it. */
@Module({ imports: [HumanRequestsModule], providers: [RunStops], exports: [RunStops] })
export class RunStopsModule {}

import { Module } from '@nestjs/common';
import { SlotsModule } from '../slots/slots.module.js';
import { RunMetrics } from './run-metrics.js';

/** What is shown of all runs. */
@Module({ imports: [SlotsModule], providers: [RunMetrics] })
export class RunMetricsModule {}

import { Module } from '@nestjs/common';
import { BuilderActivity } from './builder-activity.js';
import { BuilderMeter } from './builder-meter.js';
import { BuilderRunDispatch } from './builder-run-dispatch.js';
import { BuilderRunExecution } from './builder-run-execution.js';
import { BuilderRunLeases } from './builder-run-leases.js';
import { BuilderRunsJobs } from './builder-runs.jobs.js';
import { BuilderRunsRepository } from './builder-runs.repository.js';
import { Builders } from './builder.js';

/** The builder runs' rows, and the workers that carry them out. */
@Module({
  providers: [
    Builders,
    BuilderMeter,
    BuilderActivity,
    BuilderRunsRepository,
    BuilderRunLeases,
    BuilderRunExecution,
    BuilderRunDispatch,
    BuilderRunsJobs,
  ],
  exports: [BuilderActivity, BuilderRunDispatch, BuilderRunsRepository],
})
export class BuilderRunsModule {}

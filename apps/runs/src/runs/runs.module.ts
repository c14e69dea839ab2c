import { parseAllowedRanges } from '@aos/egress';
import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { FilesModule } from '../files/files.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import { RunDeletion, RunDeletionHandlers, RunRetention } from './deletion/run-deletion.js';
import { RunDetailsRepository } from './run-details.repository.js';
import { RunsHandlers } from './runs.handlers.js';
import { CallbackAddresses, RunsService } from './runs.service.js';

/** API of single runs: start, read, stop, delete; retention. */
@Module({
  imports: [CasesModule, EvaluationsModule, FilesModule, LifecycleModule],
  controllers: [RunDeletionHandlers, RunsHandlers],
  providers: [
    RunDeletion,
    RunRetention,
    RunsService,
    RunDetailsRepository,
    {
      provide: CallbackAddresses,
      inject: [RunsSettings],
      useFactory: ({ EGRESS_ALLOW_CIDRS: ranges }: RunsConfig) =>
        new CallbackAddresses({ allowed: parseAllowedRanges(ranges) }),
    },
  ],
})
export class RunsModule {}

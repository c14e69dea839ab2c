import { parseAllowedRanges } from '@aos/egress';
import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../cases/case-core.module.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { HumanRequestsModule } from '../lifecycle/human-requests/human-requests.module.js';
import { LiveBuildsModule } from '../run-core/starts/live-builds.module.js';
import { RunStopsModule } from '../lifecycle/run-stops/run-stops.module.js';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { SandboxesModule } from '../files/sandboxes.module.js';
import { CallbackAddresses } from './callback-addresses.js';
import { RunDetailsRepository } from './run-details.repository.js';
import { RunsHandlers } from './runs.handlers.js';
import { RunsService } from './runs.service.js';

/** What clients do with single runs: start, read, stop. */
@Module({
  imports: [
    LiveBuildsModule,
    RunStopsModule,
    HumanRequestsModule,
    SandboxesModule,
    EvaluationsModule,
    CaseCoreModule,
  ],
  controllers: [RunsHandlers],
  providers: [
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

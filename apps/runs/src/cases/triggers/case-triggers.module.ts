import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { LiveBuildsModule } from '../../run-core/starts/live-builds.module.js';
import { CaseTriggersHandlers } from './case-triggers.handlers.js';
import { CaseTriggersRepository } from './case-triggers.repository.js';

/** Which agent works on the cases of which queue. */
@Module({
  imports: [CaseCoreModule, LiveBuildsModule],
  controllers: [CaseTriggersHandlers],
  providers: [CaseTriggersRepository],
  exports: [CaseTriggersRepository],
})
export class CaseTriggersModule {}

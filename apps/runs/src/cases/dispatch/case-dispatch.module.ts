import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { CaseTriggersModule } from '../triggers/case-triggers.module.js';
import { LiveBuildsModule } from '../../run-core/starts/live-builds.module.js';
import { CaseDispatch } from './case-dispatch.js';
import { CaseDispatcher } from './case-dispatcher.js';

/** How cases get to runs. */
@Module({
  imports: [CaseCoreModule, CaseTriggersModule, LiveBuildsModule],
  providers: [CaseDispatch, CaseDispatcher],
})
export class CaseDispatchModule {}

import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core/case-core.module.js';
import { LiveBuildsModule } from '../live-builds/live-builds.module.js';
import { CaseDispatch } from './case-dispatch.js';
import { CaseDispatcher } from './case-dispatcher.js';

/** How cases get to runs. */
@Module({ imports: [CaseCoreModule, LiveBuildsModule], providers: [CaseDispatch, CaseDispatcher] })
export class CaseDispatchModule {}

import { Module } from '@nestjs/common';
import { CaseCoreModule } from './case-core.module.js';
import { RunListModule } from '../lifecycle/run-list/run-list.module.js';
import { CaseList } from './case-list.js';
import { CasesHandlers } from './cases.handlers.js';
import { CasesService } from './cases.service.js';

/** What clients do with cases: make, find, read, change and delete them. */
@Module({
  imports: [CaseCoreModule, RunListModule],
  controllers: [CasesHandlers],
  providers: [CasesService, CaseList],
  exports: [CasesService, CaseList],
})
export class CasesModule {}

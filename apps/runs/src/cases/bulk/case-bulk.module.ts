import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { CaseTriggersModule } from '../triggers/case-triggers.module.js';
import { CaseProgressModule } from '../progress/case-progress.module.js';
import { CasesModule } from '../cases.module.js';
import { BulkChanges } from './bulk-changes.js';
import { CaseBulkHandlers } from './case-bulk.handlers.js';
import { CaseSelection } from './case-selection.js';

/** What is done with many cases at once. */
@Module({
  imports: [CaseCoreModule, CaseProgressModule, CasesModule, CaseTriggersModule],
  controllers: [CaseBulkHandlers],
  providers: [BulkChanges, CaseSelection],
  exports: [CaseSelection],
})
export class CaseBulkModule {}

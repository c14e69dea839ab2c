import { Module } from '@nestjs/common';
import { CaseBulkModule } from '../case-bulk/case-bulk.module.js';
import { CaseCoreModule } from '../case-core/case-core.module.js';
import { CaseProgressModule } from '../case-progress/case-progress.module.js';
import { CaseTriggersModule } from '../case-triggers/case-triggers.module.js';
import { QueuesHandlers } from './queues.handlers.js';
import { QueuesService } from './queues.service.js';

/** What clients do with queues. */
@Module({
  imports: [CaseCoreModule, CaseProgressModule, CaseBulkModule, CaseTriggersModule],
  controllers: [QueuesHandlers],
  providers: [QueuesService],
})
export class QueuesModule {}

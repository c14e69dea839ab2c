import { Module } from '@nestjs/common';
import { CaseBulkModule } from '../bulk/case-bulk.module.js';
import { CaseCoreModule } from '../case-core.module.js';
import { CaseProgressModule } from '../progress/case-progress.module.js';
import { CaseTriggersModule } from '../triggers/case-triggers.module.js';
import { QueuesHandlers } from './queues.handlers.js';
import { QueuesService } from './queues.service.js';

/** What clients do with queues. */
@Module({
  imports: [CaseCoreModule, CaseProgressModule, CaseBulkModule, CaseTriggersModule],
  controllers: [QueuesHandlers],
  providers: [QueuesService],
})
export class QueuesModule {}

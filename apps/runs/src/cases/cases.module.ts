import { Module } from '@nestjs/common';
import { CapacityModule } from '../capacity/capacity.module.js';
import { FilesModule } from '../files/files.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { BulkChanges } from './bulk/bulk-changes.js';
import { CaseBulkHandlers } from './bulk/case-bulk.handlers.js';
import { CaseSelection } from './bulk/case-selection.js';
import { CaseList } from './case-list.js';
import { CaseMoves } from './case-moves.js';
import { CaseTallySweep } from './case-tally.js';
import { CasesHandlers } from './cases.handlers.js';
import { CasesRepository } from './cases.repository.js';
import { CasesService } from './cases.service.js';
import { CaseDispatch } from './dispatch/case-dispatch.js';
import { CaseDispatcher } from './dispatch/case-dispatcher.js';
import { CaseExport, CaseExportHandlers } from './export/case-export.service.js';
import { ColumnWalk } from './export/exported-rows.js';
import { CaseImportHandlers } from './import/case-import.handlers.js';
import { CaseImport } from './import/case-import.service.js';
import { ImportLimiter } from './import/import-limiter.js';
import { CaseLabelsHandlers } from './labels/case-labels.handlers.js';
import { CaseLabelLinks, CaseLabelsRepository } from './labels/case-labels.repository.js';
import { CaseLabelsService } from './labels/case-labels.service.js';
import { PlanUseHandlers } from './plan-use.handlers.js';
import { CaseProgress } from './progress/case-progress.js';
import { QueuesHandlers } from './queues/queues.handlers.js';
import { QueuesRepository, ReadyQueues } from './queues/queues.repository.js';
import { QueuesService } from './queues/queues.service.js';
import { CaseTriggersHandlers } from './triggers/case-triggers.handlers.js';
import { CaseTriggersRepository } from './triggers/case-triggers.repository.js';

/** Queues, cases and labels, and everything that changes, moves or dispatches cases. */
@Module({
  imports: [CapacityModule, FilesModule, LifecycleModule],
  controllers: [
    CaseBulkHandlers,
    CasesHandlers,
    CaseExportHandlers,
    CaseImportHandlers,
    CaseLabelsHandlers,
    PlanUseHandlers,
    QueuesHandlers,
    CaseTriggersHandlers,
  ],
  providers: [
    BulkChanges,
    CaseSelection,
    CasesRepository,
    QueuesRepository,
    CaseLabelsRepository,
    CaseLabelLinks,
    CaseMoves,
    ReadyQueues,
    CaseTallySweep,
    CasesService,
    CaseList,
    CaseDispatch,
    CaseDispatcher,
    CaseExport,
    ColumnWalk,
    CaseImport,
    ImportLimiter,
    CaseLabelsService,
    CaseProgress,
    QueuesService,
    CaseTriggersRepository,
  ],
  exports: [CasesRepository, QueuesRepository, CaseLabelLinks, CaseMoves, CasesService],
})
export class CasesModule {}

import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { CaseProgressModule } from '../progress/case-progress.module.js';
import { CasesModule } from '../cases.module.js';
import { SandboxesModule } from '../../files/sandboxes.module.js';
import { CaseImportHandlers } from './case-import.handlers.js';
import { CaseImport } from './case-import.service.js';
import { ImportPlaces } from './import-places.js';

/** Cases from files. */
@Module({
  imports: [CaseCoreModule, CaseProgressModule, CasesModule, SandboxesModule],
  controllers: [CaseImportHandlers],
  providers: [CaseImport, ImportPlaces],
})
export class CaseImportModule {}

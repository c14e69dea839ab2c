import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { CasesModule } from '../cases.module.js';
import { CaseExportHandlers } from './case-export.handlers.js';
import { CaseExport } from './case-export.service.js';
import { ColumnWalk } from './column-walk.js';

/** Cases as files. */
@Module({
  imports: [CaseCoreModule, CasesModule],
  controllers: [CaseExportHandlers],
  providers: [CaseExport, ColumnWalk],
})
export class CaseExportModule {}

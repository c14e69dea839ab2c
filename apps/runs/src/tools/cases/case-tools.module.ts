import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../../cases/case-core.module.js';
import { CasesModule } from '../../cases/cases.module.js';
import { CaseCalls } from './case-calls.js';
import { CaseWork } from './case-work.js';
import { SettlingCalls } from './settling-calls.js';

/** What runs do with their cases. */
@Module({
  imports: [CaseCoreModule, CasesModule],
  providers: [CaseCalls, SettlingCalls, CaseWork],
  exports: [CaseWork],
})
export class CaseToolsModule {}

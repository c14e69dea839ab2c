import { Module } from '@nestjs/common';
import { BrowserModule } from './browser/browser.module.js';
import { CaseToolsModule } from './cases/case-tools.module.js';
import { SandboxesModule } from '../files/sandboxes.module.js';
import { SubRunsModule } from '../lifecycle/sub-runs/sub-runs.module.js';
import { ToolSetsHandlers } from './tool-sets.handlers.js';
import { ToolSets } from './tool-sets.js';

/** What runs can do. */
@Module({
  imports: [SandboxesModule, BrowserModule, SubRunsModule, CaseToolsModule],
  controllers: [ToolSetsHandlers],
  providers: [ToolSets],
  exports: [ToolSets],
})
export class ToolsModule {}

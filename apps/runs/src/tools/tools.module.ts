import { Module } from '@nestjs/common';
import { CapacityModule } from '../capacity/capacity.module.js';
import { CasesModule } from '../cases/cases.module.js';
import { FilesModule } from '../files/files.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { BrowserRecord } from './browser/browser-record.js';
import { BrowserHandlers } from './browser/browser.handlers.js';
import { BrowserRepository } from './browser/browser.repository.js';
import { Browsers, Launcher, launcherProvider } from './browser/browsers.js';
import { CaseCalls, SettlingCalls } from './cases/case-calls.js';
import { CaseWork } from './cases/case-work.js';
import { ConnectionAccess } from './connections/connection-access.js';
import { RunConnections } from './connections/run-connections.js';
import { ToolSets, ToolSetsHandlers } from './tool-sets.js';

/** Tools of runs: built-in sets, connections, the browser, cases. */
@Module({
  imports: [CapacityModule, CasesModule, FilesModule, LifecycleModule],
  controllers: [BrowserHandlers, ToolSetsHandlers],
  providers: [
    launcherProvider,
    Browsers,
    BrowserRecord,
    BrowserRepository,
    CaseCalls,
    SettlingCalls,
    CaseWork,
    ConnectionAccess,
    RunConnections,
    ToolSets,
  ],
  exports: [Launcher, Browsers, RunConnections, ToolSets],
})
export class ToolsModule {}

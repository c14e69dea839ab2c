import { EntitlementsModule } from '@aos/entitlements';
import { FileStoreModule } from '@aos/file-store';
import { type DynamicModule, Module } from '@nestjs/common';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { CapacityModule } from './capacity/capacity.module.js';
import { CasesModule } from './cases/cases.module.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { ExecutorModule } from './executor/executor.module.js';
import { FilesModule } from './files/files.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { RunCoreModule } from './run-core/run-core.module.js';
import { RunsConfigModule } from './runs-config.module.js';
import type { RunsConfig } from './runs.config.js';
import { changeParts, startParts } from './runs/run-statements.sql.js';
import { RunsModule } from './runs/runs.module.js';
import { ToolsModule } from './tools/tools.module.js';

/** The run service: its settings, the core with the parts that other wings add, and the wings. */
@Module({})
export class AppModule {
  static forRoot(config: RunsConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RunsConfigModule.forRoot(config),
        FileStoreModule.forRoot(config),
        EntitlementsModule.forRoot(config),
        RunCoreModule.forRoot({ capacity: CapacityModule, changeParts, startParts }),
        RunsModule,
        LifecycleModule,
        EvaluationsModule,
        FilesModule,
        ToolsModule,
        CasesModule,
        ArtifactsModule,
        ExecutorModule,
      ],
    };
  }
}

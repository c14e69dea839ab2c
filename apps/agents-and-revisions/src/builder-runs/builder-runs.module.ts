import { ModelCatalog, modelCatalogOf } from '@aos/agent-runtime';
import { Module, type DynamicModule } from '@nestjs/common';
import { AgentsSettings, type AgentsConfig } from '../agents.config.js';
import { AgentsModule } from '../agents/agents.module.js';
import { BuilderRunDispatch } from './builder-run-dispatch.js';
import { BuilderRunExecution } from './builder-run-execution.js';
import { BuilderRunLeases } from './builder-run-leases.js';
import { BuilderRunsHandlers } from './builder-runs.handlers.js';
import { BuilderRunsJobs } from './builder-runs.jobs.js';
import { BuilderRunsRepository } from './builder-runs.repository.js';
import { BuilderRunsService } from './builder-runs.service.js';
import { Builders } from './builder.js';

/** Writes operating procedures for revisions, with a model and the answers of the person who asked. */
@Module({})
export class BuilderRunsModule {
  static forRoot(config: AgentsConfig): DynamicModule {
    return {
      module: BuilderRunsModule,
      imports: [AgentsModule],
      controllers: [BuilderRunsHandlers],
      providers: [
        { provide: AgentsSettings, useValue: config },
        { provide: ModelCatalog, useFactory: () => modelCatalogOf(config) },
        Builders,
        BuilderRunsService,
        BuilderRunsRepository,
        BuilderRunLeases,
        BuilderRunExecution,
        BuilderRunDispatch,
        BuilderRunsJobs,
      ],
    };
  }
}

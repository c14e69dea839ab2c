import { EntitlementsModule } from '@aos/entitlements';
import { Module, type DynamicModule } from '@nestjs/common';
import { AgentLifecycleModule } from './agent-lifecycle/agent-lifecycle.module.js';
import { BuilderRequestsModule } from './builder-requests/builder-requests.module.js';
import { ConfigModule } from './config/config.module.js';
import type { AgentsConfig } from './config/agents.config.js';
import { MemoryFilesModule } from './memory-files/memory-files.module.js';
import { RevisionsModule } from './revisions/revisions.module.js';
import { RubricsModule } from './rubrics/rubrics.module.js';
import { SchedulesModule } from './schedules/schedules.module.js';

/** The features of this service; each imports those it stands on. */
@Module({})
export class AppModule {
  static forRoot(config: AgentsConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        EntitlementsModule.forRoot(config),
        AgentLifecycleModule,
        RevisionsModule,
        RubricsModule,
        MemoryFilesModule,
        SchedulesModule,
        BuilderRequestsModule,
      ],
    };
  }
}

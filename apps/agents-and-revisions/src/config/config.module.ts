import { ModelCatalog, modelCatalogOf } from '@aos/agent-runtime';
import { Tracing } from '@aos/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import { AgentsSettings, type AgentsConfig } from './agents.config.js';

/** The settings, and what is made of them alone. */
@Module({})
export class ConfigModule {
  static forRoot(config: AgentsConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: AgentsSettings, useValue: config },
        {
          provide: ModelCatalog,
          inject: [Tracing],
          useFactory: (tracing: Tracing) => modelCatalogOf(config, tracing),
        },
      ],
      exports: [AgentsSettings, ModelCatalog],
    };
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from './runs.config.js';

/** Global: the settings, for every feature of the service. */
@Module({})
export class RunsConfigModule {
  static forRoot(config: RunsConfig): DynamicModule {
    return {
      module: RunsConfigModule,
      global: true,
      providers: [{ provide: RunsSettings, useValue: config }],
      exports: [RunsSettings],
    };
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import { BillingSettings, type BillingConfig } from './billing.config.js';

@Module({})
export class ConfigModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: BillingSettings, useValue: config }],
      exports: [BillingSettings],
    };
  }
}

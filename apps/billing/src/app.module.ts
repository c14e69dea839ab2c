import { EntitlementsModule } from '@aos/entitlements';
import { Module, type DynamicModule } from '@nestjs/common';
import { BudgetsModule } from './budgets/budgets.module.js';
import type { BillingConfig } from './config/billing.config.js';
import { ConfigModule } from './config/config.module.js';
import { MeteringModule } from './metering/metering.module.js';
import { PlanUseModule } from './plan-use/plan-use.module.js';
import { RecordKeepingModule } from './record-keeping/record-keeping.module.js';
import { UsageModule } from './usage/usage.module.js';

/** Usage, plans and budgets. */
@Module({})
export class AppModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        EntitlementsModule.forRoot(config),
        MeteringModule,
        UsageModule,
        PlanUseModule,
        BudgetsModule,
        RecordKeepingModule,
      ],
    };
  }
}

import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { BudgetEntity } from './budgets/budget.entity.js';
import { billingConfigSchema, type BillingConfig } from './config/billing.config.js';
import {
  DailyUsageEntity,
  MeteredAgentEntity,
  MonthlyAgentUsageEntity,
  TeamStorageEntity,
  UsageRecordEntity,
} from './usage-records/usage-record.entities.js';
import { billingTables } from './billing.tables.sql.js';

export const service: ServiceDefinition<BillingConfig> = {
  name: 'billing',
  configSchema: billingConfigSchema,
  // Each batch is a transaction that writes sums: at 25 ms they cost four times as much for a run as at 500.
  gatherEventsMs: 1_000,
  model: {
    entities: [
      ...entitlementsModel.entities,
      UsageRecordEntity,
      DailyUsageEntity,
      MonthlyAgentUsageEntity,
      MeteredAgentEntity,
      TeamStorageEntity,
      BudgetEntity,
    ],
    tables: [...billingTables, ...entitlementsModel.tables],
  },
  modules: (config) => [AppModule.forRoot(config)],
};

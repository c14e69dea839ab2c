import { Module } from '@nestjs/common';
import { UsageRecordsModule } from '../usage-records/usage-records.module.js';
import { BudgetWatch } from './budget-watch.js';
import { BudgetsHandlers } from './budgets.handlers.js';
import { BudgetsRepository } from './budgets.repository.js';
import { BudgetsService } from './budgets.service.js';

@Module({
  imports: [UsageRecordsModule],
  controllers: [BudgetsHandlers],
  providers: [BudgetsService, BudgetsRepository, BudgetWatch],
  exports: [BudgetWatch],
})
export class BudgetsModule {}

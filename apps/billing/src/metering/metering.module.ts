import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { UsageRecordsModule } from '../usage-records/usage-records.module.js';
import { Metering } from './metering.events.js';

/** From events to records. */
@Module({ imports: [UsageRecordsModule, BudgetsModule], providers: [Metering] })
export class MeteringModule {}

import { Module } from '@nestjs/common';
import { UsageRecordsModule } from '../usage-records/usage-records.module.js';
import { PlanUseHandlers } from './plan-use.handlers.js';
import { PlanUseService } from './plan-use.service.js';

/** What a team's plan gives it, and how much of it is used. */
@Module({ imports: [UsageRecordsModule], controllers: [PlanUseHandlers], providers: [PlanUseService] })
export class PlanUseModule {}

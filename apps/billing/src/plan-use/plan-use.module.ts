import { Module } from '@nestjs/common';
import { UsageRecordsModule } from '../usage-records/usage-records.module.js';
import { PlanUseHandlers } from './plan-use.handlers.js';
import { PlanUseService } from './plan-use.service.js';

@Module({ imports: [UsageRecordsModule], controllers: [PlanUseHandlers], providers: [PlanUseService] })
export class PlanUseModule {}

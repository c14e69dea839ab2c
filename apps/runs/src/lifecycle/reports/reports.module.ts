import { Module } from '@nestjs/common';
import { ReportsHandlers } from './reports.handlers.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';

/** What runs did, step by step. */
@Module({
  controllers: [ReportsHandlers],
  providers: [ReportsService, ReportsRepository],
})
export class ReportsModule {}

import { Module } from '@nestjs/common';
import { UsageRecordsModule } from '../usage-records/usage-records.module.js';
import { UsageHandlers } from './usage.handlers.js';
import { UsageService } from './usage.service.js';

@Module({ imports: [UsageRecordsModule], controllers: [UsageHandlers], providers: [UsageService] })
export class UsageModule {}

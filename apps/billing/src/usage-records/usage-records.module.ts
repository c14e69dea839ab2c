import { Module } from '@nestjs/common';
import { UsageRecordsRepository } from './usage-records.repository.js';

/** Usage records, and their sums by day and by agent. */
@Module({ providers: [UsageRecordsRepository], exports: [UsageRecordsRepository] })
export class UsageRecordsModule {}

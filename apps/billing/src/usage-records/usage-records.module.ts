import { Module } from '@nestjs/common';
import { UsageRecordsRepository } from './usage-records.repository.js';

/** What was counted: one record for each event, and the sums by day and by agent. */
@Module({ providers: [UsageRecordsRepository], exports: [UsageRecordsRepository] })
export class UsageRecordsModule {}

import { Module } from '@nestjs/common';
import { RecordRetention } from './record-retention.js';
import { Recount } from './recount.js';

/** Keeps sums true to their records, and records from growing without end. */
@Module({ providers: [Recount, RecordRetention], exports: [Recount] })
export class RecordKeepingModule {}

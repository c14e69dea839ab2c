import { Module } from '@nestjs/common';
import { DeletedRuns } from './deleted-runs.js';

@Module({ providers: [DeletedRuns] })
export class DeletedRunsModule {}

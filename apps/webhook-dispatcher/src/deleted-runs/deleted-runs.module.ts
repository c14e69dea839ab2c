import { Module } from '@nestjs/common';
import { DeletedRuns } from './deleted-runs.js';

/** What is forgotten with runs that are deleted. */
@Module({ providers: [DeletedRuns] })
export class DeletedRunsModule {}

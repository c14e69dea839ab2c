import { Module } from '@nestjs/common';
import { RunDeletionHandlers } from './run-deletion.handlers.js';
import { RunDeletion } from './run-deletion.js';
import { RunRetention } from './run-retention.js';

/** How runs that have ended are deleted. */
@Module({ controllers: [RunDeletionHandlers], providers: [RunDeletion, RunRetention] })
export class RunDeletionModule {}

import { Module } from '@nestjs/common';
import { RunEventsHandlers } from './run-events.handlers.js';
import { RunEventsRepository } from './run-events.repository.js';

/** The streams of runs' public events. */
@Module({ controllers: [RunEventsHandlers], providers: [RunEventsRepository] })
export class RunEventsModule {}

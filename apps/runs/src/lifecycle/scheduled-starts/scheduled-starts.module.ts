import { Module } from '@nestjs/common';
import { LiveBuildsModule } from '../../run-core/starts/live-builds.module.js';
import { ScheduledStartsEvents } from './scheduled-starts.events.js';
import { ScheduledStartsRepository } from './scheduled-starts.repository.js';

/** The runs of schedules. */
@Module({ imports: [LiveBuildsModule], providers: [ScheduledStartsEvents, ScheduledStartsRepository] })
export class ScheduledStartsModule {}

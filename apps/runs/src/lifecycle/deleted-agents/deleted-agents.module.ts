import { Module } from '@nestjs/common';
import { RunStopsModule } from '../run-stops/run-stops.module.js';
import { DeletedAgentsEvents } from './deleted-agents.events.js';
import { DeletedAgentsRepository } from './deleted-agents.repository.js';

/** Agents of which no run may start any more. */
@Module({
  imports: [RunStopsModule],
  providers: [DeletedAgentsEvents, DeletedAgentsRepository],
  exports: [DeletedAgentsRepository],
})
export class DeletedAgentsModule {}

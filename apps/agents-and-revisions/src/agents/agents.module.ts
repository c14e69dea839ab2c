import { Module } from '@nestjs/common';
import { AgentActivityEvents } from './agent-activity.events.js';
import { AgentsRepository } from './agents.repository.js';

/** The agents' rows. */
@Module({ providers: [AgentsRepository, AgentActivityEvents], exports: [AgentsRepository] })
export class AgentsModule {}

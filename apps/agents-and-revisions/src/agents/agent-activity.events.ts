import { runStarted, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { AgentsRepository } from './agents.repository.js';

/** Keeps the date of each agent's last run. */
@Injectable()
export class AgentActivityEvents {
  constructor(private readonly agents: AgentsRepository) {}

  @Consumes(runStarted)
  async runsStarted(events: readonly TypedBusEvent<typeof runStarted>[]): Promise<void> {
    const latest = new Map(events.map(({ data, created_at: at }) => [data.agent_id, at]));
    await this.agents.noteRuns([...latest].map(([agentId, at]) => ({ agent_id: agentId, at })));
  }
}

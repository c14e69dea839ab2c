import { resolveBuilds, type CopiedBuild } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { RunRefused } from '../../run-core/starts/run-refused.js';

/** The agents that a build may call. */
@Injectable()
export class SubAgents {
  constructor(private readonly services: ServiceClient) {}

  /** When a run begins, every agent that its build names must be there and its team's. */
  async assertAvailable(teamId: string, { config }: CopiedBuild): Promise<void> {
    const { sub_agents: agentIds } = config.data;
    if (agentIds.length === 0) return;
    const wanted = agentIds.map((agentId) => ({ team_id: teamId, agent_id: agentId }));
    const { found } = await this.services.call(resolveBuilds, { wanted });
    const missing = agentIds.filter((_, index) => !found[index]);
    if (missing.length === 0) return;
    const message = `The build names sub-agents that this team does not have: ${missing.join(', ')}.`;
    throw new RunRefused({ code: 'agent_unavailable', message });
  }
}

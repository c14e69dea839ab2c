import {
  countAgents,
  createAgent,
  deleteAgent,
  getAgent,
  listAgentNames,
  listAgents,
  updateAgent,
  type FoundCaseTrigger,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { Handles, HandlesInternal, type CommitStep } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { toBuild } from '../builds/build.mapper.js';
import { RevisionWarnings } from '../builds/revision-warnings.js';
import { toSchedule } from '../schedules/schedule.mapper.js';
import { agentAnswer, toAgent } from '../agents/agent.mapper.js';
import { AgentsService } from './agents.service.js';
import { PendingApprovals } from './pending-approvals.js';

@Controller()
export class AgentsHandlers {
  constructor(
    private readonly agents: AgentsService,
    private readonly approvals: PendingApprovals,
    private readonly warnings: RevisionWarnings,
  ) {}

  @Handles(listAgents)
  async listAgents({ teamId, query }: Req<typeof listAgents>) {
    const { include_schedules: includeSchedules = false, ...page } = query;
    const listed = await this.agents.list(teamId, page, includeSchedules);
    return listAnswer('agents', listed, ({ agent, latestBuild, schedules, caseTrigger }) => ({
      ...toAgent(agent),
      latest_build: toBuild(latestBuild),
      schedules: schedules?.map(toSchedule),
      ...(caseTrigger === undefined ? {} : shownTrigger(caseTrigger)),
    }));
  }

  @HandlesInternal(listAgentNames)
  async listAgentNames({ team_id }: Req<typeof listAgentNames>) {
    const agents = await this.agents.names(team_id);
    return { agents: agents.map(({ id, name, description }) => ({ agent_id: id, name, description })) };
  }

  @HandlesInternal(countAgents)
  countAgents({ team_id: teamId }: Req<typeof countAgents>) {
    return this.agents.planUse(teamId);
  }

  @Handles(createAgent)
  async createAgent({ teamId, body }: Req<typeof createAgent>) {
    const { agent, build } = await this.agents.create(teamId, body);
    const shown = toBuild(build);
    return { ...agentAnswer(agent), build: shown, warnings: this.warnings.of(shown.config) };
  }

  @Handles(getAgent)
  async getAgent({ teamId, params }: Req<typeof getAgent>) {
    return agentAnswer(await this.agents.get(teamId, params.agent_id));
  }

  @Handles(updateAgent)
  async updateAgent({ teamId, params, body }: Req<typeof updateAgent>) {
    return agentAnswer(await this.agents.update(teamId, params.agent_id, body));
  }

  @Handles(deleteAgent)
  async deleteAgent({
    teamId,
    principal,
    params: { agent_id: agentId },
  }: Req<typeof deleteAgent>): Promise<CommitStep<OperationResponse<typeof deleteAgent>>> {
    await this.approvals.assertCancellable(teamId, agentId, principal);
    return async () => {
      const { schedulesDeleted } = await this.agents.delete(teamId, agentId);
      return { success: true, schedules_deleted: schedulesDeleted };
    };
  }
}

function shownTrigger(trigger: FoundCaseTrigger | null) {
  const conflicting = trigger?.conflicting_agents ?? [];
  return {
    case_trigger_enabled: trigger !== null,
    case_trigger_has_conflict: conflicting.length > 0,
    case_trigger_conflicting_agents: conflicting,
    case_queue_name: trigger?.queue_name ?? null,
  };
}

import { estimateCost, getAgentUsage, getBillingUsage, readUsage, type Req } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { UsageService } from './usage.service.js';

@Controller()
export class UsageHandlers {
  constructor(private readonly usage: UsageService) {}

  @Handles(getBillingUsage)
  getBillingUsage({ teamId }: Req<typeof getBillingUsage>) {
    return this.usage.ofMonth(teamId);
  }

  @HandlesInternal(readUsage)
  readUsage({ team_id: teamId }: Req<typeof readUsage>) {
    return this.usage.ofMonth(teamId);
  }

  @Handles(getAgentUsage)
  async getAgentUsage({ teamId, query }: Req<typeof getAgentUsage>) {
    return listAnswer('agents', await this.usage.ofAgents(teamId, query), (agent) => agent);
  }

  @Handles(estimateCost)
  async estimateCost({ query }: Req<typeof estimateCost>) {
    return { ...query, estimated_cost: this.usage.costOf([query]) };
  }
}

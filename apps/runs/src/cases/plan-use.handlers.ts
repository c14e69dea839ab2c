import { countRuns, type Req } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { TeamLimitsRepository } from '../capacity/team-limits/plan-team-limits.js';
import { QueuesRepository } from './queues/queues.repository.js';

@Controller()
export class PlanUseHandlers {
  constructor(
    private readonly limits: TeamLimitsRepository,
    private readonly queues: QueuesRepository,
  ) {}

  @HandlesInternal(countRuns)
  async countRuns({ team_id: teamId }: Req<typeof countRuns>) {
    return {
      concurrent_runs: await this.limits.running(teamId),
      queues: await this.queues.countOf(teamId),
    };
  }
}

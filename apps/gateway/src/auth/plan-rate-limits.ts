import type { Principal } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { TeamPlans } from './team-plans.js';

/** How many requests a minute a credential may make: as the plan of its team says, else as the installation does. */
@Injectable()
export class PlanRateLimits {
  constructor(
    private readonly plans: TeamPlans,
    @Inject(GatewaySettings) private readonly config: Pick<GatewayConfig, 'RATE_LIMIT_PER_MINUTE'>,
  ) {}

  /** 0 is without a limit, which an installation says for all plans. */
  async of({ teamId }: Principal): Promise<number> {
    const { RATE_LIMIT_PER_MINUTE: limit } = this.config;
    if (limit === 0 || teamId === null) return limit;
    const { limits } = await this.plans.of(teamId);
    return limits.rate_limit_per_minute ?? limit;
  }
}

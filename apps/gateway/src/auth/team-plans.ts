import { defaultPlan, planOf, type Plan } from '@aos/contracts';
import { assertFeature, TeamCopies, type PlanFeature } from '@aos/entitlements';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { TeamsRepository } from '../identity/teams/teams.repository.js';

/** The plans of teams for what a gateway holds them to itself. It owns them, and so reads the truth. */
@Injectable()
export class TeamPlans {
  private readonly plans: TeamCopies<Plan>;

  constructor(
    teams: TeamsRepository,
    @Inject(GatewaySettings) { PLAN_CACHE_MS: livesForMs }: Pick<GatewayConfig, 'PLAN_CACHE_MS'>,
  ) {
    this.plans = new TeamCopies(livesForMs, async (teamId) =>
      planOf((await teams.find(teamId))?.plan ?? defaultPlan),
    );
  }

  of(teamId: string): Promise<Plan> {
    return this.plans.of(teamId);
  }

  async assertFeature(teamId: string, feature: PlanFeature): Promise<void> {
    assertFeature(await this.of(teamId), feature);
  }
}

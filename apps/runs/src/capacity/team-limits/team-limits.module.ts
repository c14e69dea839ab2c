import { Module } from '@nestjs/common';
import { TeamLimits } from '../../run-core/claims/team-limits.js';
import { PlanTeamLimits } from './plan-team-limits.js';
import { TeamLimitsRepository } from './team-limits.repository.js';

/** Implements the core's port: what plans and budgets let teams run. */
@Module({
  providers: [TeamLimitsRepository, PlanTeamLimits, { provide: TeamLimits, useExisting: PlanTeamLimits }],
  exports: [TeamLimits, PlanTeamLimits, TeamLimitsRepository],
})
export class TeamLimitsModule {}

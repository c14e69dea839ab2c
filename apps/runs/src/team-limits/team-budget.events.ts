import { budgetSet, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { PlanTeamLimits } from './plan-team-limits.js';
import { TeamLimitsRepository } from './team-limits.repository.js';

/** Keeps the copy of the budgets. */
@Injectable()
export class TeamBudgetEvents {
  constructor(
    private readonly repository: TeamLimitsRepository,
    private readonly limits: PlanTeamLimits,
    private readonly transactions: Transactions,
  ) {}

  @Consumes(budgetSet)
  async set(events: readonly TypedBusEvent<typeof budgetSet>[]): Promise<void> {
    for (const { data } of events) {
      await this.repository.putBudget({
        team_id: data.team_id,
        max_runs: data.max_runs === null ? null : String(data.max_runs),
        stops: data.stops,
        tokens_used_up_until: data.tokens_used_up_until === null ? null : new Date(data.tokens_used_up_until),
      });
      this.transactions.afterCommit(() => this.limits.forget(data.team_id));
    }
  }
}

import { budgetSet, hasEnded, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from '../../run-core/changes/run-change.js';
import { CommittedChanges } from '../../run-core/changes/run-changes.js';
import { RunDispatch } from '../../run-core/claims/run-dispatch.js';
import { TeamLimits } from '../../run-core/claims/team-limits.js';
import { PlanTeamLimits, TeamLimitsRepository } from './plan-team-limits.js';

/** A run that ends, or waits for a person, lets the oldest run begin that waits for the team's limit. */
@Injectable()
export class ConcurrencyRelease {
  constructor(
    private readonly limits: TeamLimits,
    private readonly dispatch: RunDispatch,
    private readonly logger: Logger,
    committed: CommittedChanges,
  ) {
    committed.on('changed', (runs) => this.follow(runs));
  }

  private follow(runs: readonly ChangedRun[]): void {
    const teams = runs.filter(({ status }) => hasEnded(status) || status === 'waiting');
    for (const teamId of new Set(teams.map(({ team_id }) => team_id))) {
      this.limits.of(teamId).then(
        (limit) => limit && limit.concurrentRuns !== null && this.dispatch.wake(teamId),
        (error: unknown) => this.logger.warn({ err: error }, 'waiting runs left to the reconciler'),
      );
    }
  }
}

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

import { AppError, type BudgetLimits, type PlanLimits } from '@aos/contracts';
import { entitlementExceeded, Entitlements, TeamCopies } from '@aos/entitlements';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { countRunning } from '../../run-core/claims/run-claims.sql.js';
import type { TeamLimit, TeamLimits } from '../../run-core/claims/team-limits.js';
import { TeamBudgetEntity } from './team-limits.entities.js';
import {
  addStarts,
  beginCounting,
  presentBudget,
  type PresentBudget,
  raiseStarts,
} from './team-limits.sql.js';

@Injectable()
export class TeamLimitsRepository {
  constructor(private readonly transactions: Transactions) {}

  async budget(teamId: string): Promise<PresentBudget | undefined> {
    const [budget] = await this.transactions.query<PresentBudget>(presentBudget, [teamId]);
    return budget;
  }

  async putBudget(budget: TeamBudgetEntity): Promise<void> {
    await this.transactions.repository(TeamBudgetEntity).upsert(budget, ['team_id']);
    await this.raiseStarts(budget.team_id);
  }

  /** While the team had another limit, or none, starts may not have been counted; those of deleted runs stay counted. */
  async raiseStarts(teamId: string): Promise<void> {
    await this.transactions.query(raiseStarts, [teamId]);
  }

  /** How many there are in this month with these; the team's other starts wait until the transaction ends. */
  async addStarts(teamId: string, starts: number): Promise<number> {
    const [row] = await this.transactions.query<{ starts: number }>(addStarts, [teamId, starts]);
    if (row) return row.starts;
    const [begun] = await this.transactions.query<{ starts: number }>(beginCounting, [teamId, starts]);
    return begun!.starts;
  }

  async running(teamId: string): Promise<number> {
    const [row] = await this.transactions.query<{ running: number }>(countRunning, [teamId]);
    return row!.running;
  }
}

interface Limits extends TeamLimit {
  readonly perMonth: PlanLimits['runs_per_month'];
  readonly budget: BudgetLimits['max_runs'];
  readonly tokensUsedUp: boolean;
}

/** The limits that plans and budgets set, from copies in this service's own database. */
@Injectable()
export class PlanTeamLimits implements TeamLimits {
  private readonly copies: TeamCopies<Limits>;

  constructor(
    private readonly repository: TeamLimitsRepository,
    entitlements: Entitlements,
    transactions: Transactions,
  ) {
    this.copies = entitlements.copies(async (teamId) => {
      const { limits } = await entitlements.planOf(teamId);
      const budget = await repository.budget(teamId);
      return toLimits(limits, budget?.stops ? budget : undefined);
    });
    entitlements.follow(async (teamId) => {
      await repository.raiseStarts(teamId);
      transactions.afterCommit(() => this.forget(teamId));
    });
  }

  async of(teamId: string): Promise<TeamLimit | undefined> {
    const limits = await this.copies.of(teamId);
    return limits.countsStarts || limits.concurrentRuns !== null ? limits : undefined;
  }

  async roomForStarts(teamId: string): Promise<number> {
    const limits = await this.copies.latest(teamId);
    if (limits.tokensUsedUp) return 0;
    const most = maxStarts(limits);
    return most === null ? Infinity : Math.max(0, most.limit - (await this.repository.addStarts(teamId, 0)));
  }

  async countStarts(teamId: string, starts: number): Promise<void> {
    const limits = await this.copies.latest(teamId);
    if (limits.tokensUsedUp) throw tokensUsedUp('runs');
    const most = maxStarts(limits);
    if (most === null || (await this.repository.addStarts(teamId, starts)) <= most.limit) return;
    throw most.ofPlan
      ? entitlementExceeded('runs_per_month', most.limit)
      : budgetExceeded(`The budget allows ${runsIn(most.limit)} in a month`, 'runs');
  }

  /** For what is no run, and costs tokens all the same. */
  async assertTokensLeft(teamId: string, forWhat: string): Promise<void> {
    if ((await this.copies.latest(teamId)).tokensUsedUp) throw tokensUsedUp(forWhat);
  }

  /** The copy has changed in this process. */
  forget(teamId: string): void {
    this.copies.forget(teamId);
  }
}

function toLimits(plan: PlanLimits, budget: PresentBudget | undefined): Limits {
  const maxRuns = budget?.max_runs ?? null;
  const limits = {
    perMonth: plan.runs_per_month,
    budget: maxRuns === null ? null : Number(maxRuns),
    tokensUsedUp: budget?.tokens_used_up ?? false,
  };
  const countsStarts = limits.perMonth !== null || limits.budget !== null || limits.tokensUsedUp;
  return { ...limits, countsStarts, concurrentRuns: plan.concurrent_runs };
}

/** The smaller of the two, and whose it is. */
function maxStarts({ perMonth, budget }: Limits): { limit: number; ofPlan: boolean } | null {
  if (perMonth === null && budget === null) return null;
  const ofPlan = (perMonth ?? Infinity) <= (budget ?? Infinity);
  return { limit: (ofPlan ? perMonth : budget)!, ofPlan };
}

function runsIn(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}

function tokensUsedUp(stopped: string): AppError {
  return budgetExceeded('The tokens of this month are used up', stopped);
}

function budgetExceeded(reason: string, stopped: string): AppError {
  return new AppError('budget_exceeded', `${reason}, and the budget of the team stops ${stopped}.`);
}

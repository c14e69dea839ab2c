import { AppError, type BudgetLimits, type PlanLimits } from '@aos/contracts';
import { entitlementExceeded, Entitlements } from '@aos/entitlements';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { TeamLimit, TeamLimits } from '../run-core/team-limits.js';
import type { TeamBudgetEntity } from './team-limits.entities.js';
import { TeamLimitsRepository } from './team-limits.repository.js';

interface Limits extends TeamLimit {
  readonly perMonth: PlanLimits['runs_per_month'];
  readonly budget: BudgetLimits['max_runs'];
  readonly tokensUsedUpUntil: Date | null;
}

/** Another replica may go by the limits before for so long. */
const cachedForMs = 2_000;
const mostCached = 10_000;

/** The limits that plans and budgets set, from copies in this service's own database. */
@Injectable()
export class PlanTeamLimits implements TeamLimits {
  private readonly cached = new LRUCache<string, Limits>({ max: mostCached, ttl: cachedForMs });

  constructor(
    private readonly entitlements: Entitlements,
    private readonly repository: TeamLimitsRepository,
  ) {
    entitlements.follow((teamId) => repository.countAnew(teamId));
  }

  async of(teamId: string): Promise<TeamLimit | undefined> {
    const limits = this.cached.get(teamId) ?? (await this.read(teamId));
    return limits.countsStarts || limits.concurrentRuns !== null ? limits : undefined;
  }

  async roomForStarts(teamId: string): Promise<number> {
    const limits = await this.read(teamId);
    if (areTokensUsedUp(limits)) return 0;
    const most = mostStarts(limits);
    return most === null ? Infinity : Math.max(0, most.limit - (await this.repository.addStarts(teamId, 0)));
  }

  async countStarts(teamId: string, starts: number): Promise<void> {
    const limits = await this.read(teamId);
    if (areTokensUsedUp(limits)) throw budgetExceeded('The tokens of this month are used up');
    const most = mostStarts(limits);
    if (most === null || (await this.repository.addStarts(teamId, starts)) <= most.limit) return;
    throw most.ofPlan
      ? entitlementExceeded('runs_per_month', most.limit)
      : budgetExceeded(`The budget allows ${most.limit} runs in a month`);
  }

  /** The copy has changed in this process. */
  forget(teamId: string): void {
    this.cached.delete(teamId);
  }

  private async read(teamId: string): Promise<Limits> {
    const { limits } = await this.entitlements.planOf(teamId);
    const budget = await this.repository.budget(teamId);
    const read = toLimits(limits, budget?.stops ? budget : undefined);
    this.cached.set(teamId, read);
    return read;
  }
}

function toLimits(plan: PlanLimits, budget: TeamBudgetEntity | undefined): Limits {
  const maxRuns = budget?.max_runs ?? null;
  const limits = {
    perMonth: plan.runs_per_month,
    budget: maxRuns === null ? null : Number(maxRuns),
    tokensUsedUpUntil: budget?.tokens_used_up_until ?? null,
  };
  const countsStarts = Object.values(limits).some((limit) => limit !== null);
  return { ...limits, countsStarts, concurrentRuns: plan.concurrent_runs };
}

/** The smaller of the two, and whose it is. */
function mostStarts({ perMonth, budget }: Limits): { limit: number; ofPlan: boolean } | null {
  if (perMonth === null && budget === null) return null;
  const ofPlan = (perMonth ?? Infinity) <= (budget ?? Infinity);
  return { limit: (ofPlan ? perMonth : budget)!, ofPlan };
}

function areTokensUsedUp({ tokensUsedUpUntil: until }: Limits): boolean {
  return until !== null && until.getTime() > Date.now();
}

function budgetExceeded(reason: string): AppError {
  return new AppError('budget_exceeded', `${reason}, and the budget of the team stops runs.`);
}

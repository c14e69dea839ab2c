import { AppError, defaultPlan, planOf, type Plan, type PlanLimits } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Repository } from 'typeorm';
import { TeamPlanEntity } from './team-plan.entity.js';

/** How long another replica may go by the plan before; a plan takes as long to arrive by its event. */
const cachedForMs = 2_000;
const mostCached = 10_000;

/**
 * What the plans of teams let them have, from a copy in the service's own database: no request asks another service,
 * and limits hold as they were while the gateway or billing is away.
 */
@Injectable()
export class Entitlements {
  private readonly cached = new LRUCache<string, string>({ max: mostCached, ttl: cachedForMs });

  private readonly followers: ((teamId: string) => Promise<void>)[] = [];

  constructor(private readonly transactions: Transactions) {}

  /** Called in the transaction that sets the plan of a team. */
  follow(follower: (teamId: string) => Promise<void>): void {
    this.followers.push(follower);
  }

  async planNameOf(teamId: string): Promise<string> {
    const known = this.cached.get(teamId);
    if (known !== undefined) return known;
    const plan = (await this.rows.findOneBy({ team_id: teamId }))?.plan ?? defaultPlan;
    this.cached.set(teamId, plan);
    return plan;
  }

  async planOf(teamId: string): Promise<Plan> {
    return planOf(await this.planNameOf(teamId));
  }

  /**
   * Refuses one more thing of a kind where the plan's limit is reached. Inside the transaction that makes it: others
   * of the team that make such a thing wait until it ends, so that the limit is exact.
   */
  async assertRoom(teamId: string, kind: keyof PlanLimits, count: () => Promise<number>): Promise<void> {
    const { limits } = await this.planOf(teamId);
    const limit = limits[kind];
    if (limit === null) return;
    await this.transactions.lock(`${kind} of ${teamId}`);
    if ((await count()) >= limit) throw entitlementExceeded(kind, limit);
  }

  /** Inside a transaction. */
  async setPlan(teamId: string, plan: string): Promise<void> {
    await this.rows.upsert({ team_id: teamId, plan }, ['team_id']);
    for (const follower of this.followers) await follower(teamId);
    this.transactions.afterCommit(() => this.cached.delete(teamId));
  }

  private get rows(): Repository<TeamPlanEntity> {
    return this.transactions.repository(TeamPlanEntity);
  }
}

/** Which limit of its plan a team has reached. */
export function entitlementExceeded(kind: keyof PlanLimits, limit: number): AppError {
  return new AppError('entitlement_exceeded', `The plan of the team allows ${limit}: ${kind}.`);
}

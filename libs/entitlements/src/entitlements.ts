import { defaultPlan, planOf, type Plan, type PlanLimits } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { assertFeature, entitlementExceeded, type PlanFeature } from './plan-refusals.js';
import { TeamCopies } from './team-copies.js';
import { TeamPlanEntity } from './team-plan.entity.js';

/** The setting of every service that this goes by. */
export interface EntitlementSettings {
  /** How long another replica may go by the plan before. */
  readonly PLAN_CACHE_MS: number;
}

/** Injection token of the settings. */
export const EntitlementSettings = Symbol('EntitlementSettings');

/**
 * What the plans of teams let them have, from a copy in the service's own database: no request asks another service,
 * and limits hold as they were while the gateway or billing is away.
 */
@Injectable()
export class Entitlements {
  private readonly plans: TeamCopies<{ readonly name: string }>;

  private readonly followers: ((teamId: string) => Promise<void>)[] = [];

  constructor(
    private readonly transactions: Transactions,
    @Inject(EntitlementSettings) private readonly settings: EntitlementSettings,
  ) {
    this.plans = this.copies(async (teamId) => {
      const row = await this.rows.findOneBy({ team_id: teamId });
      return { name: row?.plan ?? defaultPlan };
    });
  }

  /** What else a service knows of teams, as old at most as their plans. */
  copies<Value extends object>(read: (teamId: string) => Promise<Value>): TeamCopies<Value> {
    return new TeamCopies(this.settings.PLAN_CACHE_MS, read);
  }

  /** Called in the transaction that sets the plan of a team. */
  follow(follower: (teamId: string) => Promise<void>): void {
    this.followers.push(follower);
  }

  async planNameOf(teamId: string): Promise<string> {
    return (await this.plans.of(teamId)).name;
  }

  async planOf(teamId: string): Promise<Plan> {
    return planOf(await this.planNameOf(teamId));
  }

  /** Refuses what needs a part of the product that the plan of the team does not have. */
  async assertFeature(teamId: string, feature: PlanFeature): Promise<void> {
    assertFeature(await this.planOf(teamId), feature);
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
    this.transactions.afterCommit(() => this.plans.forget(teamId));
  }

  private get rows(): Repository<TeamPlanEntity> {
    return this.transactions.repository(TeamPlanEntity);
  }
}

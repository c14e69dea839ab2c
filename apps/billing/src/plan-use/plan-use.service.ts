import {
  countAgents,
  countRuns,
  countWebhooks,
  planOf,
  type getBillingEntitlements,
  type OperationResponse,
} from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { useOf } from '../budgets/budget-state.js';
import { monthOf } from '../usage-records/billing-period.js';
import { UsageRecordsRepository } from '../usage-records/usage-records.repository.js';

@Injectable()
export class PlanUseService {
  constructor(
    private readonly entitlements: Entitlements,
    private readonly records: UsageRecordsRepository,
    private readonly services: ServiceClient,
  ) {}

  /** The plan, and how much of it is used, as the services know that make what is limited. */
  async of(teamId: string): Promise<OperationResponse<typeof getBillingEntitlements>> {
    const request = { team_id: teamId };
    const { runs: started } = useOf(await this.records.ofMonth([teamId], monthOf(new Date())));
    const [plan, agents, runs, webhooks] = await Promise.all([
      this.entitlements.planNameOf(teamId),
      this.services.call(countAgents, request),
      this.services.call(countRuns, request),
      this.services.call(countWebhooks, request),
    ]);
    // Each credential is counted by itself.
    const usage = { ...agents, ...runs, ...webhooks, runs_per_month: started, rate_limit_per_minute: null };
    return { plan, ...planOf(plan), usage };
  }
}

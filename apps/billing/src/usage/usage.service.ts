import type { AgentUsage, BillingUsage, EstimatedCost } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import type { Page, PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { BillingSettings, type BillingConfig } from '../config/billing.config.js';
import { monthOf } from '../usage-records/billing-period.js';
import { UsageRecordsRepository, type UsageOfAgent } from '../usage-records/usage-records.repository.js';
import { estimatedCost, type ModelTokens } from './estimated-cost.js';
import { toBillingUsage } from './usage.mapper.js';

type Prices = Pick<BillingConfig, 'MODEL_PRICES' | 'MODEL_PRICES_CURRENCY'>;

@Injectable()
export class UsageService {
  constructor(
    private readonly records: UsageRecordsRepository,
    private readonly entitlements: Entitlements,
    @Inject(BillingSettings) private readonly settings: Prices,
  ) {}

  async ofMonth(teamId: string): Promise<BillingUsage> {
    const month = monthOf(new Date());
    const days = await this.records.ofMonth([teamId], month);
    return toBillingUsage(days, {
      month,
      plan: await this.entitlements.planNameOf(teamId),
      storageBytes: await this.records.storedBytes(teamId),
      cost: this.costOf(
        days.map(({ model, input_tokens, output_tokens }) => ({
          model,
          input_tokens: Number(input_tokens),
          output_tokens: Number(output_tokens),
        })),
      ),
    });
  }

  async ofAgents(teamId: string, page: PageRequest): Promise<Page<AgentUsage>> {
    const found = await this.records.agentsOfMonth(teamId, monthOf(new Date()), page);
    return { ...found, items: found.items.map((agent) => this.toAgentUsage(agent)) };
  }

  costOf(used: readonly ModelTokens[]): EstimatedCost {
    return estimatedCost(used, this.settings.MODEL_PRICES, this.settings.MODEL_PRICES_CURRENCY);
  }

  private toAgentUsage({ agent_id, name, runs, models }: UsageOfAgent): AgentUsage {
    const sum = (tokens: 'input_tokens' | 'output_tokens') =>
      models.reduce((total, model) => total + model[tokens], 0);
    return {
      agent_id,
      name,
      runs: Number(runs),
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      estimated_cost: this.costOf(models),
    };
  }
}

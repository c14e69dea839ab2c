import type { BillingUsage, EstimatedCost } from '@aos/contracts';
import { periodOf, type Month } from '../usage-records/billing-period.js';
import { sumOf } from '../usage-records/counters.js';
import type { DailyUsageEntity } from '../usage-records/usage-record.entities.js';

interface Facts {
  readonly month: Month;
  readonly plan: string;
  readonly storageBytes: number;
  readonly cost: EstimatedCost;
}

/** The sums of a month's days as the API shows them. */
export function toBillingUsage(days: readonly DailyUsageEntity[], facts: Facts): BillingUsage {
  const sum = sumOf(days);
  return {
    period: periodOf(facts.month),
    plan: facts.plan,
    runs: {
      started: sum.runs_started,
      completed: sum.runs_completed,
      failed: sum.runs_failed,
      stopped: sum.runs_stopped,
    },
    active_seconds: sum.active_ms / 1000,
    messages: sum.messages,
    tool_calls: sum.tool_calls,
    model: { input_tokens: sum.input_tokens, output_tokens: sum.output_tokens },
    estimated_cost: facts.cost,
    human_requests: sum.human_requests,
    webhook_deliveries: sum.webhook_deliveries,
    mcp_calls: sum.mcp_calls,
    storage_bytes: facts.storageBytes,
    daily: [...new Set(days.map(({ day }) => day))].map((date) => {
      const ofDay = sumOf(days.filter(({ day }) => day === date));
      return {
        date,
        runs: ofDay.runs_started,
        active_seconds: ofDay.active_ms / 1000,
        input_tokens: ofDay.input_tokens,
        output_tokens: ofDay.output_tokens,
      };
    }),
  };
}

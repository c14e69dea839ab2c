import { z } from 'zod';
import { timestampSchema } from './common.js';
import { named } from './named.js';

const count = z.int().min(0);

/** A calendar month, UTC: from the start, and before the end. */
export const billingPeriodSchema = named(
  'BillingPeriod',
  z.object({ start: timestampSchema, end: timestampSchema }),
);

/** The cost by the operator's prices; null if a used model has none. */
export const estimatedCostSchema = named(
  'EstimatedCost',
  z.object({ amount: z.string().regex(/^\d+(\.\d+)?$/), currency: z.string() }),
).nullable();

export const billingUsageSchema = named(
  'BillingUsage',
  z.object({
    period: billingPeriodSchema,
    plan: z.string(),
    runs: z.object({ started: count, completed: count, failed: count, stopped: count }),
    active_seconds: z.number().min(0),
    messages: count,
    tool_calls: count,
    model: z.object({ input_tokens: count, output_tokens: count }),
    estimated_cost: estimatedCostSchema,
    human_requests: count,
    webhook_deliveries: count,
    mcp_calls: count,
    storage_bytes: count,
    daily: z.array(
      z.object({
        date: z.iso.date(),
        runs: count,
        active_seconds: z.number().min(0),
        input_tokens: count,
        output_tokens: count,
      }),
    ),
  }),
);

export const agentUsageSchema = named(
  'AgentUsage',
  z.object({
    agent_id: z.string(),
    name: z.string(),
    runs: count,
    input_tokens: count,
    output_tokens: count,
    estimated_cost: estimatedCostSchema,
  }),
);

export const budgetActionSchema = z.enum(['notify', 'stop']);
export const budgetStateSchema = z.enum(['ok', 'warning', 'reached']);

const maxTokens = 1_000_000_000_000_000;
const maxRuns = 1_000_000_000;

/** The monthly budget; null means unlimited. */
export const budgetLimitsSchema = z.object({
  max_tokens: z.int().min(1).max(maxTokens).nullable(),
  max_runs: z.int().min(1).max(maxRuns).nullable(),
});

export const budgetUseSchema = z.object({ tokens: count, runs: count });

export const budgetSchema = named(
  'Budget',
  budgetLimitsSchema.extend({
    on_reached: budgetActionSchema,
    used: budgetUseSchema,
    state: budgetStateSchema,
    period: billingPeriodSchema,
  }),
);

export type BillingUsage = z.output<typeof billingUsageSchema>;
export type AgentUsage = z.output<typeof agentUsageSchema>;
export type Budget = z.output<typeof budgetSchema>;
export type BudgetLimits = z.output<typeof budgetLimitsSchema>;
export type BudgetAction = z.output<typeof budgetActionSchema>;
export type BudgetState = z.output<typeof budgetStateSchema>;
export type BudgetUse = z.output<typeof budgetUseSchema>;
export type BillingPeriod = z.output<typeof billingPeriodSchema>;
export type EstimatedCost = z.output<typeof estimatedCostSchema>;

import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { planFeaturesSchema, planLimitsSchema } from '../../plans.js';
import {
  agentUsageSchema,
  billingUsageSchema,
  budgetActionSchema,
  budgetLimitsSchema,
  budgetSchema,
  estimatedCostSchema,
} from '../../schemas/billing.js';
import { builtinModel } from '../../schemas/build-config.js';
import { idParams, listOf, pageQuery, queryInteger } from '../../schemas/common.js';
import { named } from '../../schemas/named.js';

const owner = 'billing';
const tag = 'Billing';
const read = 'billing:read';

export const getBillingUsage = defineOperation({
  operationId: 'getBillingUsage',
  method: 'GET',
  path: '/v2/teams/{teamId}/billing/usage',
  tag,
  summary: 'Get the usage of a team in this calendar month (UTC)',
  description: 'Counted from events, each once; usually a second or two behind them.',
  owner,
  scope: read,
  params: idParams('teamId'),
  status: 200,
  response: billingUsageSchema,
});

export const getAgentUsage = defineOperation({
  operationId: 'getAgentUsage',
  method: 'GET',
  path: '/v2/teams/{teamId}/billing/usage/agents',
  tag,
  summary: 'Get the usage of each agent in this calendar month, most tokens first',
  owner,
  scope: read,
  params: idParams('teamId'),
  query: z.object(pageQuery()),
  status: 200,
  response: listOf('agents', agentUsageSchema),
});

const maxTokens = 1_000_000_000_000;

export const estimateCost = defineOperation({
  operationId: 'estimateCost',
  method: 'GET',
  path: '/v2/teams/{teamId}/billing/estimate',
  tag,
  summary: "Estimate the cost of tokens by the operator's prices",
  description:
    'What a run has cost: the model of its revision, and the tokens of its `usage`; without a model, the one that agents have by default. `estimated_cost` is null where the model has no price.',
  owner,
  scope: read,
  params: idParams('teamId'),
  query: z.object({
    model: z.string().min(1).max(200).default(builtinModel),
    input_tokens: queryInteger({ max: maxTokens, default: 0 }),
    output_tokens: queryInteger({ max: maxTokens, default: 0 }),
  }),
  status: 200,
  response: z.object({
    model: z.string(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    estimated_cost: estimatedCostSchema,
  }),
});

export const getBillingEntitlements = defineOperation({
  operationId: 'getBillingEntitlements',
  method: 'GET',
  path: '/v2/teams/{teamId}/billing/entitlements',
  tag,
  summary: "Get the entitlements of a team's plan and their use",
  description:
    '`null` is without a limit. `usage.schedules_per_agent` is that of the agent with the most; `limits.rate_limit_per_minute` holds for each credential and for all of the team together; its use is null, since it changes from one moment to the next.',
  owner,
  scope: read,
  params: idParams('teamId'),
  status: 200,
  response: named(
    'Entitlements',
    z.object({
      plan: z.string(),
      features: planFeaturesSchema,
      limits: planLimitsSchema,
      usage: planLimitsSchema,
    }),
  ),
});

export const getBudget = defineOperation({
  operationId: 'getBudget',
  method: 'GET',
  path: '/v2/teams/{teamId}/budget',
  tag,
  summary: 'Get the monthly budget of a team and its use',
  owner,
  scope: read,
  params: idParams('teamId'),
  status: 200,
  response: budgetSchema,
});

export const putBudget = defineOperation({
  operationId: 'putBudget',
  method: 'PUT',
  path: '/v2/teams/{teamId}/budget',
  tag,
  summary: 'Set the monthly budget of a team',
  description:
    'Replaces the one before: an absent limit is none. `budget.warning` is emitted at 80 percent and `budget.reached` at 100, once a period each. With `on_reached: stop` no run starts past it (403 `budget_exceeded`): `max_runs` is exact, `max_tokens` may be a few seconds late.',
  owner,
  scope: 'team:admin',
  params: idParams('teamId'),
  body: z.object({
    max_tokens: budgetLimitsSchema.shape.max_tokens.default(null),
    max_runs: budgetLimitsSchema.shape.max_runs.default(null),
    on_reached: budgetActionSchema.default('notify'),
  }),
  status: 200,
  response: budgetSchema,
});

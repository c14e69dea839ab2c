import { z } from 'zod';
import { defineEvent } from '../declarations/event.js';
import { billingPeriodSchema, budgetLimitsSchema, budgetUseSchema } from '../schemas/billing.js';
import { idSchema } from '../schemas/common.js';
import { named } from '../schemas/named.js';

const source = 'billing';

const budgetFacts = named(
  'BudgetFacts',
  budgetLimitsSchema.extend({ period: billingPeriodSchema, used: budgetUseSchema }),
);

const exampleBudget = {
  period: { start: '2026-07-01T00:00:00.000Z', end: '2026-08-01T00:00:00.000Z' },
  max_tokens: 1_000_000,
  max_runs: null,
} as const;

/** Four fifths of a budget are used; once a period. */
export const budgetWarning = defineEvent({
  name: 'budget.warning',
  source,
  visibility: 'public',
  onlyByName: true,
  data: budgetFacts,
  consumers: [],
  example: { ...exampleBudget, used: { tokens: 812_044, runs: 391 } },
});

/** All of a budget is used; once a period. */
export const budgetReached = defineEvent({
  name: 'budget.reached',
  source,
  visibility: 'public',
  onlyByName: true,
  data: budgetFacts,
  consumers: [],
  example: { ...exampleBudget, used: { tokens: 1_000_312, runs: 480 } },
});

/**
 * Tells the run service about a team's budget: `tokens_used_up_until` is the end of the period whose tokens are used
 * up.
 */
export const budgetSet = defineEvent({
  name: 'budget.set',
  source,
  visibility: 'internal',
  data: z.object({
    team_id: idSchema,
    max_runs: budgetLimitsSchema.shape.max_runs,
    stops: z.boolean(),
    tokens_used_up_until: billingPeriodSchema.shape.end.nullable(),
  }),
  consumers: ['runs'],
});

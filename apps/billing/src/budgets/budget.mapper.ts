import type { Budget, BudgetLimits, BudgetUse } from '@aos/contracts';
import { periodOf, type Month } from '../usage-records/billing-period.js';
import { stateOf } from './budget-state.js';
import type { BudgetEntity } from './budget.entity.js';

export function limitsOf({
  max_tokens: tokens,
  max_runs: runs,
}: Pick<BudgetEntity, 'max_tokens' | 'max_runs'>): BudgetLimits {
  return {
    max_tokens: tokens === null ? null : Number(tokens),
    max_runs: runs === null ? null : Number(runs),
  };
}

/** A team that has set none has one without limits. */
export function toBudget(budget: BudgetEntity | undefined, used: BudgetUse, month: Month): Budget {
  const limits = budget ? limitsOf(budget) : { max_tokens: null, max_runs: null };
  return {
    ...limits,
    on_reached: budget?.on_reached ?? 'notify',
    used,
    state: stateOf(limits, used),
    period: periodOf(month),
  };
}

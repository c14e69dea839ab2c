import type { BudgetLimits, BudgetState, BudgetUse } from '@aos/contracts';
import { sumOf, type StoredCounts } from '../usage-records/counters.js';

/** From this part of a limit on a team is warned. */
const warningAt = 0.8;

/** Usage that counts against a budget; a reopened run is another start. */
export function useOf(rows: readonly StoredCounts[]): BudgetUse {
  const { input_tokens, output_tokens, runs_started, runs_reopened } = sumOf(rows);
  return { tokens: input_tokens + output_tokens, runs: runs_started + runs_reopened };
}

/** How far a budget is used, by the limit of which most is used. */
export function stateOf({ max_tokens, max_runs }: BudgetLimits, used: BudgetUse): BudgetState {
  const part = Math.max(partOf(max_tokens, used.tokens), partOf(max_runs, used.runs));
  return part >= 1 ? 'reached' : part >= warningAt ? 'warning' : 'ok';
}

export function areTokensUsedUp({ max_tokens: most }: BudgetLimits, { tokens }: BudgetUse): boolean {
  return most !== null && tokens >= most;
}

function partOf(limit: number | null, used: number): number {
  return limit === null ? 0 : used / limit;
}

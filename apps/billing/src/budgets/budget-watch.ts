import { budgetReached, budgetSet, budgetWarning, type BudgetUse } from '@aos/contracts';
import { newEvent, Outbox, type NewEvent } from '@aos/events';
import { Injectable } from '@nestjs/common';
import { monthOf, periodOf, type Month } from '../usage-records/billing-period.js';
import { UsageRecordsRepository } from '../usage-records/usage-records.repository.js';
import { areTokensUsedUp, stateOf, useOf } from './budget-state.js';
import type { BudgetEntity } from './budget.entity.js';
import { limitsOf } from './budget.mapper.js';
import { BudgetsRepository } from './budgets.repository.js';

/** Looks at budgets after something was counted, and tells of each threshold once a period. */
@Injectable()
export class BudgetWatch {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly records: UsageRecordsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Inside the transaction that has counted. */
  async check(teamIds: readonly string[]): Promise<void> {
    const budgets = teamIds.length > 0 ? await this.budgets.lock(teamIds) : [];
    if (budgets.length === 0) return;
    const month = monthOf(new Date());
    const days = await this.records.ofMonth(
      budgets.map(({ team_id: teamId }) => teamId),
      month,
    );
    for (const budget of budgets) {
      const used = useOf(days.filter(({ team_id: teamId }) => teamId === budget.team_id));
      await this.settle(budget, used, month);
    }
  }

  /** Stores how far the budget is used in this month and tells what was not told yet. */
  private async settle(budget: BudgetEntity, used: BudgetUse, month: Month): Promise<void> {
    // By the clock of another replica the next month has begun: what was told of this one would be told again.
    if (budget.period > month.first) return;
    const before = ofMonth(budget, month);
    const limits = limitsOf(budget);
    const state = stateOf(limits, used);
    const after = {
      period: month.first,
      is_warned: before.is_warned || state !== 'ok',
      is_reached: before.is_reached || state === 'reached',
      are_tokens_used_up: areTokensUsedUp(limits, used),
    };
    const data = { ...limits, used, period: periodOf(month) };
    const teamId = budget.team_id;
    const events: NewEvent[] = [];
    if (after.is_warned && !before.is_warned) events.push(newEvent({ event: budgetWarning, teamId, data }));
    if (after.is_reached && !before.is_reached) events.push(newEvent({ event: budgetReached, teamId, data }));
    if (after.are_tokens_used_up !== before.are_tokens_used_up) {
      events.push(setEvent({ ...budget, ...after }, month));
    }
    const isSame = Object.entries(after).every(
      ([name, value]) => budget[name as keyof typeof after] === value,
    );
    if (isSame) return;
    await this.budgets.update(teamId, after);
    if (events.length > 0) await this.outbox.record(...events);
  }
}

/** State of the current month; empty if the budget has not seen it. */
function ofMonth(budget: BudgetEntity, { first }: Month): BudgetEntity {
  if (budget.period === first) return budget;
  return { ...budget, is_warned: false, is_reached: false, are_tokens_used_up: false };
}

export function setEvent(budget: BudgetEntity, month: Month): NewEvent<typeof budgetSet> {
  const { team_id: teamId, on_reached: action, are_tokens_used_up: areUsedUp } = budget;
  const data = {
    team_id: teamId,
    max_runs: limitsOf(budget).max_runs,
    stops: action === 'stop',
    tokens_used_up_until: areUsedUp ? periodOf(month).end : null,
  };
  return newEvent({ event: budgetSet, teamId, data });
}

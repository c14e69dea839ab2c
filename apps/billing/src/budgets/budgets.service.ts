import type { Budget, BudgetAction, BudgetLimits } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { Injectable } from '@nestjs/common';
import { monthOf } from '../usage-records/billing-period.js';
import { UsageRecordsRepository } from '../usage-records/usage-records.repository.js';
import { useOf } from './budget-state.js';
import { BudgetWatch, setEvent } from './budget-watch.js';
import { toBudget } from './budget.mapper.js';
import { BudgetsRepository } from './budgets.repository.js';

@Injectable()
export class BudgetsService {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly records: UsageRecordsRepository,
    private readonly watch: BudgetWatch,
    private readonly outbox: Outbox,
  ) {}

  async get(teamId: string): Promise<Budget> {
    const month = monthOf(new Date());
    const used = useOf(await this.records.ofMonth([teamId], month));
    return toBudget(await this.budgets.find(teamId), used, month);
  }

  /** Inside a transaction. What was told of this month stays told; limits that are used already are told at once. */
  async put(teamId: string, budget: BudgetLimits & { on_reached: BudgetAction }): Promise<Budget> {
    const month = monthOf(new Date());
    const [known] = await this.budgets.lock([teamId]);
    const isOfMonth = known?.period === month.first;
    const row = {
      team_id: teamId,
      max_tokens: textOf(budget.max_tokens),
      max_runs: textOf(budget.max_runs),
      on_reached: budget.on_reached,
      period: month.first,
      is_warned: isOfMonth && known.is_warned,
      is_reached: isOfMonth && known.is_reached,
      are_tokens_used_up: false,
    };
    await this.budgets.put(row);
    await this.outbox.record(setEvent({ ...row, updated_at: new Date() }, month));
    await this.watch.check([teamId]);
    return this.get(teamId);
  }
}

function textOf(count: number | null): string | null {
  return count === null ? null : String(count);
}

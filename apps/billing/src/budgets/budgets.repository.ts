import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { BudgetEntity } from './budget.entity.js';

@Injectable()
export class BudgetsRepository {
  constructor(private readonly transactions: Transactions) {}

  async find(teamId: string): Promise<BudgetEntity | undefined> {
    return (await this.rows.findOneBy({ team_id: teamId })) ?? undefined;
  }

  /** Locks the budgets of the teams in a fixed order until the transaction ends. */
  lock(teamIds: readonly string[]): Promise<BudgetEntity[]> {
    return this.rows.find({
      where: { team_id: In([...teamIds]) },
      order: { team_id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async put(budget: Omit<BudgetEntity, 'updated_at'>): Promise<void> {
    await this.rows.upsert({ ...budget, updated_at: () => 'now()' }, ['team_id']);
  }

  async update(teamId: string, changes: QueryDeepPartialEntity<BudgetEntity>): Promise<void> {
    await this.rows.update({ team_id: teamId }, { ...changes, updated_at: () => 'now()' });
  }

  private get rows(): Repository<BudgetEntity> {
    return this.transactions.repository(BudgetEntity);
  }
}

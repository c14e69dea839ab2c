import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { TeamBudgetEntity } from './team-limits.entities.js';
import { countRunning } from '../../run-core/claims/run-claims.sql.js';
import {
  addStarts,
  beginCounting,
  presentBudget,
  raiseStarts,
  type PresentBudget,
} from './team-limits.sql.js';

@Injectable()
export class TeamLimitsRepository {
  constructor(private readonly transactions: Transactions) {}

  async budget(teamId: string): Promise<PresentBudget | undefined> {
    const [budget] = await this.transactions.query<PresentBudget>(presentBudget, [teamId]);
    return budget;
  }

  async putBudget(budget: TeamBudgetEntity): Promise<void> {
    await this.transactions.repository(TeamBudgetEntity).upsert(budget, ['team_id']);
    await this.raiseStarts(budget.team_id);
  }

  /** While the team had another limit, or none, starts may not have been counted; those of deleted runs stay counted. */
  async raiseStarts(teamId: string): Promise<void> {
    await this.transactions.query(raiseStarts, [teamId]);
  }

  /** How many there are in this month with these; the team's other starts wait until the transaction ends. */
  async addStarts(teamId: string, starts: number): Promise<number> {
    const [row] = await this.transactions.query<{ starts: number }>(addStarts, [teamId, starts]);
    if (row) return row.starts;
    const [begun] = await this.transactions.query<{ starts: number }>(beginCounting, [teamId, starts]);
    return begun!.starts;
  }

  async running(teamId: string): Promise<number> {
    const [row] = await this.transactions.query<{ running: number }>(countRunning, [teamId]);
    return row!.running;
  }
}

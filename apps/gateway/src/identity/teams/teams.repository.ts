import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { TeamEntity } from './team.entity.js';

@Injectable()
export class TeamsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(team: Pick<TeamEntity, 'id' | 'name' | 'plan'>): Promise<TeamEntity> {
    await this.rows.insert({ ...team, created_at: () => 'now()' });
    return this.rows.findOneByOrFail({ id: team.id });
  }

  async find(teamId: string): Promise<TeamEntity | undefined> {
    return (await this.rows.findOneBy({ id: teamId })) ?? undefined;
  }

  async setPlan(teamId: string, plan: string): Promise<TeamEntity | undefined> {
    await this.rows.update({ id: teamId }, { plan });
    return this.find(teamId);
  }

  /** All teams: for the platform administrator only. */
  listAll(page: PageRequest): Promise<Page<TeamEntity>> {
    return findPage(this.rows, { order: { id: 'ASC' } }, page);
  }

  async areSeveral(): Promise<boolean> {
    const some = await this.rows.find({ select: { id: true }, take: 2 });
    return some.length > 1;
  }

  private get rows(): Repository<TeamEntity> {
    return this.transactions.repository(TeamEntity);
  }
}

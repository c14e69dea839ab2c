import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { TeamEntity } from './team.entity.js';

@Injectable()
export class TeamsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(team: Pick<TeamEntity, 'id' | 'name' | 'plan'>): Promise<TeamEntity> {
    const [row] = await this.transactions.query<TeamEntity>(
      'INSERT INTO team (id, name, plan, created_at) VALUES ($1, $2, $3, now()) RETURNING *',
      [team.id, team.name, team.plan],
    );
    return row!;
  }

  async find(teamId: string): Promise<TeamEntity | undefined> {
    const [row] = await this.transactions.query<TeamEntity>('SELECT * FROM team WHERE id = $1', [teamId]);
    return row;
  }

  /** All teams: for the platform administrator only. */
  async listAll(page: PageRequest): Promise<Page<TeamEntity>> {
    const items = await this.transactions.query<TeamEntity>(
      'SELECT * FROM team ORDER BY id LIMIT $1 OFFSET $2',
      [page.limit, page.offset],
    );
    const [row] = await this.transactions.query<{ count: string }>('SELECT count(*) FROM team');
    return { items, total: Number(row!.count), ...page };
  }
}

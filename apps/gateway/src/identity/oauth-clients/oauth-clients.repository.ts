import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { OAuthClientEntity } from './oauth-client.entity.js';

@Injectable()
export class OAuthClientsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(client: Omit<OAuthClientEntity, 'created_at' | 'revoked_at'>): Promise<OAuthClientEntity> {
    await this.rows.insert({ ...client, created_at: () => 'now()' });
    return this.rows.findOneByOrFail({ id: client.id, team_id: client.team_id });
  }

  /** How many a team has that still work; no other transaction adds one until the open one ends. */
  async countForAddition(teamId: string): Promise<number> {
    await this.transactions.lock(`credentials of ${teamId}`);
    return this.rows.countBy({ team_id: teamId, revoked_at: IsNull() });
  }

  list(teamId: string, page: PageRequest): Promise<Page<OAuthClientEntity>> {
    return findPage(
      this.rows,
      { where: { team_id: teamId, revoked_at: IsNull() }, order: { id: 'ASC' } },
      page,
    );
  }

  /** Whether there was such a client. */
  async revoke(teamId: string, clientId: string): Promise<boolean> {
    const present = { team_id: teamId, id: clientId, revoked_at: IsNull() };
    const { affected } = await this.rows.update(present, { revoked_at: () => 'now()' });
    return affected === 1;
  }

  /** Knows no team yet: the client is what tells it. */
  async findActive(clientId: string): Promise<OAuthClientEntity | undefined> {
    return (await this.rows.findOneBy({ id: clientId, revoked_at: IsNull() })) ?? undefined;
  }

  private get rows(): Repository<OAuthClientEntity> {
    return this.transactions.repository(OAuthClientEntity);
  }
}

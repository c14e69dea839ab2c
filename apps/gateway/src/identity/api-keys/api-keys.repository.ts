import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { IsNull, Raw, type Repository } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';
import { keyByHash } from './api-keys.sql.js';

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(key: Omit<ApiKeyEntity, 'created_at' | 'revoked_at'>): Promise<ApiKeyEntity> {
    await this.rows.insert({ ...key, created_at: () => 'now()' });
    return this.rows.findOneByOrFail({ id: key.id, team_id: key.team_id });
  }

  /** How many a team has that still work; no other transaction adds one until the open one ends. */
  async countForAddition(teamId: string): Promise<number> {
    await this.transactions.lock(`credentials of ${teamId}`);
    return this.rows.countBy([
      { team_id: teamId, revoked_at: IsNull(), expires_at: IsNull() },
      { team_id: teamId, revoked_at: IsNull(), expires_at: Raw((column) => `${column} > now()`) },
    ]);
  }

  list(teamId: string, page: PageRequest): Promise<Page<ApiKeyEntity>> {
    return findPage(
      this.rows,
      { where: { team_id: teamId, revoked_at: IsNull() }, order: { id: 'ASC' } },
      page,
    );
  }

  /** Whether there was such a key. */
  async revoke(teamId: string, keyId: string): Promise<boolean> {
    const present = { team_id: teamId, id: keyId, revoked_at: IsNull() };
    const { affected } = await this.rows.update(present, { revoked_at: () => 'now()' });
    return affected === 1;
  }

  /** The one look-up that knows no team yet: the key is what tells it. */
  async findByHash(
    hash: string,
  ): Promise<Pick<ApiKeyEntity, 'id' | 'team_id' | 'scopes' | 'expires_at'> | undefined> {
    const [row] = await this.transactions.query<ApiKeyEntity>(keyByHash, [hash]);
    return row;
  }

  private get rows(): Repository<ApiKeyEntity> {
    return this.transactions.repository(ApiKeyEntity);
  }
}

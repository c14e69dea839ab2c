import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { ApiKeyEntity } from './api-key.entity.js';

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(key: Omit<ApiKeyEntity, 'created_at' | 'revoked_at'>): Promise<ApiKeyEntity> {
    const [row] = await this.transactions.query<ApiKeyEntity>(
      `INSERT INTO api_key (id, team_id, name, hash, scopes, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) RETURNING *`,
      [key.id, key.team_id, key.name, key.hash, key.scopes, key.expires_at],
    );
    return row!;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<ApiKeyEntity>> {
    const items = await this.transactions.query<ApiKeyEntity>(
      'SELECT * FROM api_key WHERE team_id = $1 AND revoked_at IS NULL ORDER BY id LIMIT $2 OFFSET $3',
      [teamId, page.limit, page.offset],
    );
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM api_key WHERE team_id = $1 AND revoked_at IS NULL',
      [teamId],
    );
    return { items, total: Number(row!.count), ...page };
  }

  /** Whether there was such a key. */
  async revoke(teamId: string, keyId: string): Promise<boolean> {
    const revoked = await this.transactions.query(
      `UPDATE api_key SET revoked_at = now()
        WHERE team_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
      [teamId, keyId],
    );
    return revoked.length === 1;
  }

  /** The one look-up that knows no team yet: the key is what tells it. */
  async findByHash(
    hash: string,
  ): Promise<Pick<ApiKeyEntity, 'id' | 'team_id' | 'scopes' | 'expires_at'> | undefined> {
    const [row] = await this.transactions.query<ApiKeyEntity>(
      'SELECT id, team_id, scopes, expires_at FROM api_key WHERE hash = $1 AND revoked_at IS NULL',
      [hash],
    );
    return row;
  }
}

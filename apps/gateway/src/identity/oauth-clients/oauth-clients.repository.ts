import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { OAuthClientEntity } from './oauth-client.entity.js';

@Injectable()
export class OAuthClientsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(client: Omit<OAuthClientEntity, 'created_at' | 'revoked_at'>): Promise<OAuthClientEntity> {
    const [row] = await this.transactions.query<OAuthClientEntity>(
      `INSERT INTO oauth_client (id, team_id, name, secret_hash, scopes, created_at)
       VALUES ($1, $2, $3, $4, $5, now()) RETURNING *`,
      [client.id, client.team_id, client.name, client.secret_hash, client.scopes],
    );
    return row!;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<OAuthClientEntity>> {
    const items = await this.transactions.query<OAuthClientEntity>(
      'SELECT * FROM oauth_client WHERE team_id = $1 AND revoked_at IS NULL ORDER BY id LIMIT $2 OFFSET $3',
      [teamId, page.limit, page.offset],
    );
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM oauth_client WHERE team_id = $1 AND revoked_at IS NULL',
      [teamId],
    );
    return { items, total: Number(row!.count), ...page };
  }

  /** Whether there was such a client. */
  async revoke(teamId: string, clientId: string): Promise<boolean> {
    const revoked = await this.transactions.query(
      `UPDATE oauth_client SET revoked_at = now()
        WHERE team_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
      [teamId, clientId],
    );
    return revoked.length === 1;
  }

  /** Knows no team yet: the client is what tells it. */
  async findActive(clientId: string): Promise<OAuthClientEntity | undefined> {
    const [row] = await this.transactions.query<OAuthClientEntity>(
      'SELECT * FROM oauth_client WHERE id = $1 AND revoked_at IS NULL',
      [clientId],
    );
    return row;
  }
}

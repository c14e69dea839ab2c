import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { SubscriptionEntity } from './subscription.entity.js';

export interface SubscriptionChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly enabled?: boolean;
}

@Injectable()
export class SubscriptionsRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async list(teamId: string, page: PageRequest): Promise<Page<SubscriptionEntity>> {
    const items = await this.transactions.query<SubscriptionEntity>(
      'SELECT * FROM webhook_subscription WHERE team_id = $1 ORDER BY id LIMIT $2 OFFSET $3',
      [teamId, page.limit, page.offset],
    );
    return { items, total: await this.count(teamId), ...page };
  }

  /** Until the transaction ends: webhooks that are made at the same time are counted one after the other. */
  async lockCount(teamId: string): Promise<void> {
    await this.transactions.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('webhook_subscription ' || $1, 0))`,
      [teamId],
    );
  }

  async count(teamId: string): Promise<number> {
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM webhook_subscription WHERE team_id = $1',
      [teamId],
    );
    return Number(row!.count);
  }

  async find(teamId: string, id: string): Promise<SubscriptionEntity | undefined> {
    const [row] = await this.transactions.query<SubscriptionEntity>(
      'SELECT * FROM webhook_subscription WHERE id = $2 AND team_id = $1',
      [teamId, id],
    );
    return row;
  }

  async insert(wanted: {
    id: string;
    teamId: string;
    url: string;
    events: readonly string[];
  }): Promise<SubscriptionEntity> {
    const [row] = await this.transactions.query<SubscriptionEntity>(
      `INSERT INTO webhook_subscription (id, team_id, url, events, enabled, consecutive_failures, created_at, updated_at)
       VALUES ($1, $2, $3, $4, true, 0, now(), now()) RETURNING *`,
      [wanted.id, wanted.teamId, wanted.url, wanted.events],
    );
    return row!;
  }

  /** One that is enabled again, or moved, starts without its failures. */
  async update(
    teamId: string,
    id: string,
    {
      url = null,
      events = null,
      enabled = null,
    }: { [K in keyof SubscriptionChanges]?: SubscriptionChanges[K] | null },
  ): Promise<SubscriptionEntity | undefined> {
    const [row] = await this.transactions.query<SubscriptionEntity>(
      `UPDATE webhook_subscription AS s
          SET url = COALESCE($3, s.url), events = COALESCE($4, s.events), enabled = COALESCE($5, s.enabled),
              disabled_reason = CASE WHEN COALESCE($5, s.enabled) THEN NULL
                                     WHEN s.enabled THEN 'Disabled by the team.' ELSE s.disabled_reason END,
              consecutive_failures = CASE WHEN renewed THEN 0 ELSE s.consecutive_failures END,
              failing_since = CASE WHEN renewed THEN NULL ELSE s.failing_since END,
              updated_at = now()
         FROM (SELECT id, ($5::boolean AND NOT enabled) OR $3::text <> url AS renewed
                 FROM webhook_subscription WHERE id = $2 AND team_id = $1 FOR UPDATE) AS before
        WHERE s.id = before.id
       RETURNING s.*`,
      [teamId, id, url, events, enabled],
    );
    return row;
  }

  async delete(teamId: string, id: string): Promise<boolean> {
    const gone = await this.transactions.query(
      'DELETE FROM webhook_subscription WHERE id = $2 AND team_id = $1 RETURNING id',
      [teamId, id],
    );
    return gone.length === 1;
  }
}

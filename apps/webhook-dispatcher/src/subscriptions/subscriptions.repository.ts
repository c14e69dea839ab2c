import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { changed, type SubscriptionChanges } from './subscription-changes.js';
import { SubscriptionEntity } from './subscription.entity.js';

@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly transactions: Transactions) {}

  async list(teamId: string, page: PageRequest): Promise<Page<SubscriptionEntity>> {
    return findPage(this.rows, { where: { team_id: teamId }, order: { id: 'ASC' } }, page);
  }

  /** Until the transaction ends: webhooks that are made at the same time are counted one after the other. */
  async lockCount(teamId: string): Promise<void> {
    await this.transactions.lock(`webhooks of ${teamId}`);
  }

  async count(teamId: string): Promise<number> {
    return this.rows.countBy({ team_id: teamId });
  }

  async find(teamId: string, id: string): Promise<SubscriptionEntity | undefined> {
    return (await this.rows.findOneBy({ id, team_id: teamId })) ?? undefined;
  }

  async insert({
    id,
    teamId,
    url,
    events,
  }: {
    id: string;
    teamId: string;
    url: string;
    events: readonly string[];
  }): Promise<SubscriptionEntity> {
    await this.rows.insert({
      id,
      team_id: teamId,
      url,
      events: [...events],
      enabled: true,
      consecutive_failures: 0,
      created_at: () => 'now()',
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail({ id, team_id: teamId });
  }

  /** Inside a transaction: outcomes of deliveries change the same row. */
  async update(
    teamId: string,
    id: string,
    changes: SubscriptionChanges,
  ): Promise<SubscriptionEntity | undefined> {
    const where = { id, team_id: teamId };
    const present = await this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } });
    if (!present) return undefined;
    await this.rows.update(where, { ...changed(present, changes), updated_at: () => 'now()' });
    return this.rows.findOneByOrFail(where);
  }

  async delete(teamId: string, id: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ id, team_id: teamId });
    return affected === 1;
  }

  private get rows(): Repository<SubscriptionEntity> {
    return this.transactions.repository(SubscriptionEntity);
  }
}

import { AppError, notFound } from '@aos/contracts';
import type { Egress } from '@aos/egress';
import { Entitlements } from '@aos/entitlements';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { QueueWakes } from '../endpoint-queues/queue-wakes.js';
import { WebhookEgress } from '../config/webhook-egress.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import type { SubscriptionChanges } from './subscription-changes.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

/** Each event is matched with all of them. */
const maxSubscriptions = 1_000;

@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly queues: QueueWakes,
    private readonly entitlements: Entitlements,
    @Inject(WebhookEgress) private readonly egress: Egress,
  ) {}

  count(teamId: string): Promise<number> {
    return this.subscriptions.count(teamId);
  }

  list(teamId: string, page: PageRequest): Promise<Page<SubscriptionEntity>> {
    return this.subscriptions.list(teamId, page);
  }

  async find(teamId: string, id: string): Promise<SubscriptionEntity> {
    const found = await this.subscriptions.find(teamId, id);
    if (!found) throw notFound('The webhook');
    return found;
  }

  /** Inside a transaction. */
  async create(teamId: string, url: string, events: readonly string[]): Promise<SubscriptionEntity> {
    await this.entitlements.assertRoom(teamId, 'webhooks', () => this.subscriptions.count(teamId));
    await this.subscriptions.lockCount(teamId);
    if ((await this.subscriptions.count(teamId)) >= maxSubscriptions) {
      throw new AppError('limit_reached', `A team has at most ${maxSubscriptions} webhooks.`);
    }
    return this.subscriptions.insert({ id: newId(), teamId, url, events });
  }

  async update(teamId: string, id: string, changes: SubscriptionChanges): Promise<SubscriptionEntity> {
    const changed = await this.subscriptions.update(teamId, id, changes);
    if (!changed) throw notFound('The webhook');
    // Waiting deliveries are skipped.
    if (changes.enabled === false) await this.queues.wakeWebhook(teamId, id);
    return changed;
  }

  async delete(teamId: string, id: string): Promise<void> {
    if (!(await this.subscriptions.delete(teamId, id))) throw notFound('The webhook');
    // Waiting deliveries are dropped.
    await this.queues.wakeWebhook(teamId, id);
  }

  /** Whether the address may be called, as far as can be said now; deliveries ask again. */
  async assertAllowed(url: string): Promise<void> {
    const verdict = await this.egress.check(url);
    if (!verdict.ok) throw new AppError('invalid_webhook_url', `url: ${verdict.reason}`);
  }
}

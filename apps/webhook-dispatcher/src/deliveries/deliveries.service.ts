import { AppError, findRun, notFound } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import type { Page } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { QueueWakes } from '../endpoint-queues/queue-wakes.js';
import type { SubscriptionEntity } from '../subscriptions/subscription.entity.js';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { DeliveriesRepository, type DeliveryFilter, type WholeDelivery } from './deliveries.repository.js';
import type { DeliveryEntity } from './delivery.entities.js';
import { Replays } from './replays.js';

export interface ReplayRequest {
  readonly since: Date;
  readonly until: Date;
  readonly onlyDead: boolean;
}

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly replays: Replays,
    private readonly queues: QueueWakes,
    private readonly services: ServiceClient,
  ) {}

  async listOfWebhook(teamId: string, id: string, filter: DeliveryFilter): Promise<Page<DeliveryEntity>> {
    await this.subscriptions.find(teamId, id);
    return this.deliveries.pageOfWebhook(teamId, id, filter);
  }

  async listOfRun(teamId: string, runId: string, filter: DeliveryFilter): Promise<Page<DeliveryEntity>> {
    const { found } = await this.services.call(findRun, { team_id: teamId, run_id: runId });
    if (!found) throw notFound('The run');
    return this.deliveries.pageOfRun(teamId, runId, filter);
  }

  async read(teamId: string, webhookId: string, eventId: string): Promise<WholeDelivery> {
    await this.subscriptions.find(teamId, webhookId);
    const whole = await this.deliveries.findWhole(teamId, webhookId, eventId);
    if (!whole) throw notFound('The delivery');
    return whole;
  }

  async redeliverToWebhook(teamId: string, webhookId: string, eventId: string): Promise<DeliveryEntity> {
    const { id } = await this.enabled(teamId, webhookId);
    return this.redeliver(teamId, id, eventId, id);
  }

  redeliverToRun(teamId: string, runId: string, eventId: string): Promise<DeliveryEntity> {
    return this.redeliver(teamId, runId, eventId, null);
  }

  async replay(teamId: string, webhookId: string, wanted: ReplayRequest): Promise<string> {
    const { since, until } = wanted;
    if (since >= until) throw new AppError('invalid_request', 'since: must be before until');
    const { id } = await this.enabled(teamId, webhookId);
    return this.replays.begin({ team_id: teamId, target_id: id, since, until, only_dead: wanted.onlyDead });
  }

  private async redeliver(
    teamId: string,
    targetId: string,
    eventId: string,
    subscriptionId: string | null,
  ): Promise<DeliveryEntity> {
    const found = await this.deliveries.find(teamId, targetId, eventId);
    if (!found || isCallback(found) !== (subscriptionId === null)) throw notFound('The delivery');
    // First, as where events come in: another order of locks would stand in their way.
    await this.queues.wake({ queueId: found.queue_id, teamId, subscriptionId });
    const delivery = await this.deliveries.renew(teamId, targetId, eventId);
    if (!delivery) throw notFound('The delivery');
    return delivery;
  }

  /** To a webhook that is disabled nothing is sent: it would be skipped once more. */
  private async enabled(teamId: string, webhookId: string): Promise<SubscriptionEntity> {
    const subscription = await this.subscriptions.find(teamId, webhookId);
    if (!subscription.enabled) {
      throw new AppError('invalid_state', 'The webhook is disabled; enable it first.');
    }
    return subscription;
  }
}

/** The id of a webhook could be given for that of a run; only what goes to a callback has an address of its own. */
function isCallback({ url }: DeliveryEntity): boolean {
  return url !== null;
}

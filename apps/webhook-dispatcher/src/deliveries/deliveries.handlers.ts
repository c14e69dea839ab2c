import {
  getWebhookDelivery,
  listRunDeliveries,
  listWebhookDeliveries,
  redeliverRunDelivery,
  redeliverWebhook,
  replayWebhooks,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { DeliveriesService } from './deliveries.service.js';
import type { DeliveryEntity } from './delivery.entities.js';
import { toAttempt, toDelivery } from './delivery.mapper.js';

@Controller()
export class DeliveriesHandlers {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Handles(listWebhookDeliveries)
  async listWebhookDeliveries({ teamId, params, query }: Req<typeof listWebhookDeliveries>) {
    const page = await this.deliveries.listOfWebhook(teamId, params.subscriptionId, query);
    return listAnswer('deliveries', page, toDelivery);
  }

  @Handles(getWebhookDelivery)
  async getWebhookDelivery({ teamId, params }: Req<typeof getWebhookDelivery>) {
    const { delivery, attempts, payload } = await this.deliveries.read(
      teamId,
      params.subscriptionId,
      params.deliveryId,
    );
    return { ...deliveryAnswer(delivery), attempts: attempts.map(toAttempt), payload };
  }

  @Handles(redeliverWebhook)
  async redeliverWebhook({ teamId, params }: Req<typeof redeliverWebhook>) {
    const { subscriptionId, deliveryId } = params;
    return deliveryAnswer(await this.deliveries.redeliverToWebhook(teamId, subscriptionId, deliveryId));
  }

  @Handles(replayWebhooks)
  async replayWebhooks({ teamId, params: { subscriptionId }, body }: Req<typeof replayWebhooks>) {
    const since = momentOf(body.since);
    const until = body.until === undefined ? new Date() : momentOf(body.until);
    const wanted = { since, until, onlyDead: body.only_dead };
    const replayId = await this.deliveries.replay(teamId, subscriptionId, wanted);
    return {
      success: true as const,
      subscriptionId,
      replay_id: replayId,
      since: since.toISOString(),
      until: until.toISOString(),
      only_dead: body.only_dead,
    };
  }

  @Handles(listRunDeliveries)
  async listRunDeliveries({ teamId, params, query }: Req<typeof listRunDeliveries>) {
    const page = await this.deliveries.listOfRun(teamId, params.run_id, query);
    return listAnswer('deliveries', page, toDelivery);
  }

  @Handles(redeliverRunDelivery)
  async redeliverRunDelivery({ teamId, params }: Req<typeof redeliverRunDelivery>) {
    return deliveryAnswer(await this.deliveries.redeliverToRun(teamId, params.run_id, params.deliveryId));
  }
}

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** An offset can lead out of the years that a timestamp has room for; nothing happened there. */
function momentOf(text: string): Date {
  return new Date(Math.min(Math.max(Date.parse(text), earliest), latest));
}

function deliveryAnswer(row: DeliveryEntity) {
  return { deliveryId: row.event_id, status: row.status, delivery: toDelivery(row) };
}

import {
  countWebhooks,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { Handles, HandlesInternal, type CommitStep } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import type { SubscriptionEntity } from './subscription.entity.js';
import { toWebhook } from './subscription.mapper.js';
import { SubscriptionsService } from './subscriptions.service.js';

@Controller()
export class SubscriptionsHandlers {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Handles(listWebhooks)
  async listWebhooks({ teamId, query }: Req<typeof listWebhooks>) {
    return listAnswer('webhooks', await this.subscriptions.list(teamId, query), toWebhook);
  }

  @HandlesInternal(countWebhooks)
  async countWebhooks({ team_id: teamId }: Req<typeof countWebhooks>) {
    return { webhooks: await this.subscriptions.count(teamId) };
  }

  @Handles(createWebhook)
  async createWebhook({
    teamId,
    body: { url, events },
  }: Req<typeof createWebhook>): Promise<CommitStep<OperationResponse<typeof createWebhook>>> {
    await this.subscriptions.assertAllowed(url);
    return async () => webhookAnswer(await this.subscriptions.create(teamId, url, events));
  }

  @Handles(getWebhook)
  async getWebhook({ teamId, params }: Req<typeof getWebhook>) {
    return webhookAnswer(await this.subscriptions.find(teamId, params.subscriptionId));
  }

  @Handles(updateWebhook)
  async updateWebhook({
    teamId,
    params,
    body,
  }: Req<typeof updateWebhook>): Promise<CommitStep<OperationResponse<typeof updateWebhook>>> {
    // No team learns about an address from a webhook of another.
    await this.subscriptions.find(teamId, params.subscriptionId);
    if (body.url !== undefined) await this.subscriptions.assertAllowed(body.url);
    return async () => webhookAnswer(await this.subscriptions.update(teamId, params.subscriptionId, body));
  }

  @Handles(deleteWebhook)
  async deleteWebhook({ teamId, params }: Req<typeof deleteWebhook>) {
    await this.subscriptions.delete(teamId, params.subscriptionId);
    return { success: true as const };
  }
}

function webhookAnswer(row: SubscriptionEntity) {
  return { subscriptionId: row.id, webhook: toWebhook(row) };
}

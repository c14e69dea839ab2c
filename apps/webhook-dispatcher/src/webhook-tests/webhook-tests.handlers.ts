import { testWebhook, type OperationRequest, type OperationResponse } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { WebhookTest } from './webhook-test.js';

@Controller()
export class WebhookTestsHandlers {
  constructor(
    @Inject(SubscriptionsService) private readonly subscriptions: SubscriptionsService,
    @Inject(WebhookTest) private readonly test: WebhookTest,
  ) {}

  @Handles(testWebhook)
  async testWebhook({
    teamId,
    params,
  }: OperationRequest<typeof testWebhook>): Promise<OperationResponse<typeof testWebhook>> {
    return this.test.send(await this.subscriptions.find(teamId, params.subscriptionId));
  }
}

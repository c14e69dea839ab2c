import { testWebhook, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { WebhookTest } from './webhook-test.js';

@Controller()
export class WebhookTestsHandlers {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly test: WebhookTest,
  ) {}

  @Handles(testWebhook)
  async testWebhook({ teamId, params }: Req<typeof testWebhook>) {
    return this.test.send(await this.subscriptions.find(teamId, params.subscriptionId));
  }
}

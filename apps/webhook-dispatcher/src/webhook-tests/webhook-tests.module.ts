import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { WebhookTestsHandlers } from './webhook-tests.handlers.js';
import { WebhookTest } from './webhook-test.js';

/** Sends an example to a webhook. */
@Module({
  imports: [SecretsModule, SubscriptionsModule],
  controllers: [WebhookTestsHandlers],
  providers: [WebhookTest],
})
export class WebhookTestsModule {}

import { publicEvents, type OperationResponse, type testWebhook } from '@aos/contracts';
import type { Egress } from '@aos/egress';
import { newId } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSecrets } from '../secrets/webhook-secrets.js';
import { attempt, succeeded, unsent } from '../sending/attempt.js';
import { WebhookEgress } from '../config/webhook-egress.js';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import type { SubscriptionEntity } from '../subscriptions/subscription.entity.js';

/** The caller waits for the answer, and not for as long as a delivery may take. */
const maxTestMs = 8_000;

/** Sends an example, signed as a delivery is, on the way that deliveries go. */
@Injectable()
export class WebhookTest {
  constructor(
    private readonly secrets: WebhookSecrets,
    @Inject(WebhookEgress) private readonly egress: Egress,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
  ) {}

  async send(subscription: SubscriptionEntity): Promise<OperationResponse<typeof testWebhook>> {
    const { id: subscriptionId, team_id: teamId, url } = subscription;
    const id = newId();
    const [event] = subscription.events as [string];
    const example = publicEvents.find(({ name }) => name === event)!.example as object;
    const body = { id, event, created_at: new Date().toISOString(), data: { ...example, test: true } };
    const opened = this.secrets.open(teamId, await this.secrets.ensure(teamId));
    const limits = {
      timeoutMs: Math.min(this.settings.WEBHOOK_TIMEOUT_MS, maxTestMs),
      connectTimeoutMs: this.settings.WEBHOOK_CONNECT_TIMEOUT_MS,
    };
    const made = opened.ok
      ? await attempt(
          this.egress,
          { id, event, url, body: JSON.stringify(body), secrets: opened.secrets, at: new Date() },
          limits,
        )
      : unsent(opened.error);
    return {
      subscriptionId,
      success: succeeded(made),
      event,
      delivery_id: id,
      status_code: made.statusCode,
      duration_ms: made.durationMs,
      error: made.error,
      response_body: made.responseBody,
    };
  }
}

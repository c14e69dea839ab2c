import { getWebhookSecret, rotateWebhookSecret, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { WebhookSecrets, type WebhookSecret } from './webhook-secrets.js';

@Controller()
export class WebhookSecretsHandlers {
  constructor(private readonly secrets: WebhookSecrets) {}

  @Handles(getWebhookSecret)
  async getWebhookSecret({ teamId }: Req<typeof getWebhookSecret>) {
    return toAnswer(await this.secrets.read(teamId));
  }

  @Handles(rotateWebhookSecret)
  async rotateWebhookSecret({ teamId, body }: Req<typeof rotateWebhookSecret>) {
    return toAnswer(await this.secrets.rotate(teamId, body.overlap_seconds));
  }
}

function toAnswer({ secret, createdAt, previousExpiresAt }: WebhookSecret) {
  return {
    secret,
    created_at: createdAt.toISOString(),
    previous_expires_at: previousExpiresAt?.toISOString() ?? null,
  };
}

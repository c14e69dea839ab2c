import {
  getWebhookSecret,
  rotateWebhookSecret,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { WebhookSecrets, type WebhookSecret } from './webhook-secrets.js';

@Controller()
export class WebhookSecretsHandlers {
  constructor(@Inject(WebhookSecrets) private readonly secrets: WebhookSecrets) {}

  @Handles(getWebhookSecret)
  async getWebhookSecret({
    teamId,
  }: OperationRequest<typeof getWebhookSecret>): Promise<OperationResponse<typeof getWebhookSecret>> {
    return toAnswer(await this.secrets.read(teamId));
  }

  @Handles(rotateWebhookSecret)
  async rotateWebhookSecret({
    teamId,
    body,
  }: OperationRequest<typeof rotateWebhookSecret>): Promise<OperationResponse<typeof rotateWebhookSecret>> {
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

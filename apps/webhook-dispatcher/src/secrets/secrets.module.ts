import { Module } from '@nestjs/common';
import { WebhookSecretsHandlers } from './webhook-secrets.handlers.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The secrets that deliveries are signed with. */
@Module({ controllers: [WebhookSecretsHandlers], providers: [WebhookSecrets], exports: [WebhookSecrets] })
export class SecretsModule {}

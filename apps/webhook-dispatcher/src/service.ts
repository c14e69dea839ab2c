import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { DeletedRunEntity } from './deleted-runs/deleted-run.entity.js';
import {
  DeliveryAttemptEntity,
  DeliveryCountEntity,
  DeliveryEntity,
  DeliveryReplayEntity,
} from './deliveries/delivery.entities.js';
import { DeliveryMeterEntity } from './delivery-meter/delivery-meter.entity.js';
import { FeedEventEntity, FeedFanOutEntity, FeedHeadEntity } from './feed/feed.entities.js';
import { WebhookSecretEntity } from './secrets/webhook-secret.entity.js';
import { EndpointQueueEntity } from './endpoint-queues/endpoint-queue.entity.js';
import { SubscriptionEntity } from './subscriptions/subscription.entity.js';
import {
  webhookDispatcherConfigSchema,
  type WebhookDispatcherConfig,
} from './config/webhook-dispatcher.config.js';
import { webhookTables } from './webhook-dispatcher.tables.sql.js';

export const service: ServiceDefinition<WebhookDispatcherConfig> = {
  name: 'webhook-dispatcher',
  configSchema: webhookDispatcherConfigSchema,
  model: {
    entities: [
      SubscriptionEntity,
      WebhookSecretEntity,
      FeedEventEntity,
      FeedHeadEntity,
      FeedFanOutEntity,
      DeletedRunEntity,
      DeliveryEntity,
      DeliveryAttemptEntity,
      DeliveryCountEntity,
      DeliveryReplayEntity,
      EndpointQueueEntity,
      DeliveryMeterEntity,
      ...entitlementsModel.entities,
    ],
    tables: [...webhookTables, ...entitlementsModel.tables],
  },
  modules: (config) => [AppModule.forRoot(config)],
};

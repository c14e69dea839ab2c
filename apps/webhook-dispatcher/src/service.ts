import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { DeletedRunEntity } from './deleted-runs/deleted-run.entity.js';
import {
  DeletedRuns1760000009700,
  EventsOfRuns1760000009710,
} from './deleted-runs/deleted-runs.migrations.js';
import {
  DeliveryAttemptEntity,
  DeliveryCountEntity,
  DeliveryEntity,
  DeliveryReplayEntity,
} from './deliveries/delivery.entities.js';
import { DeliveryMeterEntity } from './delivery-meter/delivery-meter.entity.js';
import { DeliveryMeter1760000007430 } from './delivery-meter/delivery-meter.migrations.js';
import { FanOut1760000004100 } from './feed/fan-out.migrations.js';
import { FeedStatistics1760000009520 } from './feed/feed-statistics.migrations.js';
import { FeedTraces1760000009310 } from './feed/feed-traces.migrations.js';
import { FeedEventEntity, FeedFanOutEntity, FeedHeadEntity } from './feed/feed.entities.js';
import { AgeIndexes1760000004300 } from './retention/retention.migrations.js';
import { WebhookSecretEntity } from './secrets/webhook-secret.entity.js';
import { EndpointQueueEntity } from './endpoint-queues/endpoint-queue.entity.js';
import {
  EndpointQueues1760000005010,
  LanesOfTeams1760000004200,
} from './endpoint-queues/endpoint-queues.migrations.js';
import { SubscriptionEntity } from './subscriptions/subscription.entity.js';
import {
  webhookDispatcherConfigSchema,
  type WebhookDispatcherConfig,
} from './config/webhook-dispatcher.config.js';
import { Webhooks1760000004000 } from './webhooks.migrations.js';

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
    migrations: [
      Webhooks1760000004000,
      FanOut1760000004100,
      LanesOfTeams1760000004200,
      AgeIndexes1760000004300,
      EndpointQueues1760000005010,
      ...entitlementsModel.migrations,
      DeliveryMeter1760000007430,
      FeedTraces1760000009310,
      FeedStatistics1760000009520,
      DeletedRuns1760000009700,
      EventsOfRuns1760000009710,
    ],
  },
  modules: (config) => [AppModule.forRoot(config)],
};

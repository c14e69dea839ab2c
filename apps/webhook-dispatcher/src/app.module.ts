import type { Resolve } from '@aos/egress';
import { EntitlementsModule } from '@aos/entitlements';
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule } from './config/config.module.js';
import type { WebhookDispatcherConfig } from './config/webhook-dispatcher.config.js';
import { DeletedRunsModule } from './deleted-runs/deleted-runs.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DeliveryMeterModule } from './delivery-meter/delivery-meter.module.js';
import { FeedModule } from './feed/feed.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SendingModule } from './sending/sending.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { WebhookTestsModule } from './webhook-tests/webhook-tests.module.js';

/** Events on their way out: what is stored of them, the receivers that want them, and the sending. */
@Module({})
export class AppModule {
  static forRoot(config: WebhookDispatcherConfig, resolve?: Resolve): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config, resolve),
        EntitlementsModule.forRoot(config),
        SubscriptionsModule,
        SecretsModule,
        FeedModule,
        DeliveriesModule,
        DeletedRunsModule,
        SendingModule,
        DeliveryMeterModule,
        WebhookTestsModule,
        RetentionModule,
      ],
    };
  }
}

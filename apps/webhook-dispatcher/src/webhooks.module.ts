import { createEgress, parseAllowedRanges } from '@aos/egress';
import { Shutdown } from '@aos/platform';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { DeliveriesHandlers } from './deliveries/deliveries.handlers.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { Replays } from './deliveries/replays.js';
import { ReplaysRepository } from './deliveries/replays.repository.js';
import { FanOut } from './feed/fan-out.js';
import { FanOutRepository } from './feed/fan-out.repository.js';
import { FeedIntake } from './feed/feed-intake.events.js';
import { FeedHandlers } from './feed/feed.handlers.js';
import { FeedRepository } from './feed/feed.repository.js';
import { Retention } from './retention/retention.js';
import { WebhookSecrets } from './secrets/webhook-secrets.js';
import { WebhookSecretsHandlers } from './secrets/webhook-secrets.handlers.js';
import { DrainsHere } from './sending/drains-here.js';
import { LaneDispatch } from './sending/lane-dispatch.js';
import { LaneDrains } from './sending/lane-drains.js';
import { LaneJobs } from './sending/lane.jobs.js';
import { LaneWakes } from './sending/lane-wakes.js';
import { LanesRepository } from './sending/lanes.repository.js';
import { OutcomeWriter } from './sending/outcome-writer.js';
import { WebhookEgress } from './sending/webhook-egress.js';
import { SubscriptionsHandlers } from './subscriptions/subscriptions.handlers.js';
import { SubscriptionsRepository } from './subscriptions/subscriptions.repository.js';
import { SubscriptionsService } from './subscriptions/subscriptions.service.js';
import { WebhookTest } from './subscriptions/webhook-test.js';
import { WebhookSettings, type WebhookDispatcherConfig } from './webhook-dispatcher.config.js';

/** Events on their way out: what is stored of them, who is to be told, and the telling. */
@Module({})
export class WebhooksModule {
  static forRoot(config: WebhookDispatcherConfig): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [SubscriptionsHandlers, WebhookSecretsHandlers, DeliveriesHandlers, FeedHandlers],
      providers: [
        { provide: WebhookSettings, useValue: config },
        { provide: KeyRing, useValue: KeyRing.parse(config.SECRETS_KEYS) },
        {
          provide: WebhookEgress,
          inject: [Shutdown],
          useFactory: (shutdown: Shutdown) => {
            const egress = createEgress({
              allowed: parseAllowedRanges(config.EGRESS_ALLOW_CIDRS),
              connectTimeoutMs: config.WEBHOOK_CONNECT_TIMEOUT_MS,
            });
            shutdown.add('close', 'connections to receivers', () => egress.close());
            return egress;
          },
        },
        SubscriptionsService,
        SubscriptionsRepository,
        WebhookTest,
        WebhookSecrets,
        DeliveriesService,
        DeliveriesRepository,
        Replays,
        ReplaysRepository,
        FeedIntake,
        FanOut,
        FanOutRepository,
        FeedRepository,
        LaneJobs,
        LaneDrains,
        LaneDispatch,
        LaneWakes,
        LanesRepository,
        DrainsHere,
        OutcomeWriter,
        Retention,
      ],
    };
  }
}

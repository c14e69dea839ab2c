import { createEgress, parseAllowedRanges, type Resolve } from '@aos/egress';
import { Shutdown } from '@aos/platform';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from './webhook-dispatcher.config.js';
import { WebhookEgress } from './webhook-egress.js';

/** The settings, and what is made of them alone. */
@Module({})
export class ConfigModule {
  /** `resolve` answers for names instead of the system. */
  static forRoot(config: WebhookDispatcherConfig, resolve?: Resolve): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
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
              resolve,
            });
            shutdown.add('close', 'connections to receivers', () => egress.close());
            return egress;
          },
        },
      ],
      exports: [WebhookSettings, KeyRing, WebhookEgress],
    };
  }
}

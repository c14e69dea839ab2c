import { createEgress, parseAllowedRanges, type Resolve } from '@aos/egress';
import { Shutdown } from '@aos/platform';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { providersOf } from '../providers/provider-settings.js';
import { Providers } from '../providers/providers.js';
import { ConnectionEgress } from './connection-egress.js';
import { ConnectionSettings, type ConnectionsConfig } from './connections.config.js';

/** The settings, and what is made of them alone. */
@Module({})
export class ConfigModule {
  /** `resolve` answers for names instead of the system. */
  static forRoot(config: ConnectionsConfig, resolve?: Resolve): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: ConnectionSettings, useValue: config },
        { provide: Providers, useValue: new Providers(providersOf(config.OAUTH_PROVIDERS, config)) },
        { provide: KeyRing, useValue: KeyRing.parse(config.SECRETS_KEYS) },
        {
          provide: ConnectionEgress,
          inject: [Shutdown],
          useFactory: (shutdown: Shutdown) => {
            const egress = createEgress({ allowed: parseAllowedRanges(config.EGRESS_ALLOW_CIDRS), resolve });
            shutdown.add('close', 'connections to servers and providers', () => egress.close());
            return egress;
          },
        },
      ],
      exports: [ConnectionSettings, Providers, KeyRing, ConnectionEgress],
    };
  }
}

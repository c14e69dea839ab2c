import { FileStoreModule } from '@aos/file-store';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { ConsoleModule } from './console/console.module.js';
import { GatewaySettings, type GatewayConfig } from './gateway.config.js';
import { IdentityModule } from './identity/identity.module.js';
import { DocsRoutes } from './openapi/docs.routes.js';
import { RoutesModule } from './routes/routes.module.js';

/** The settings, for every module of the gateway. */
@Module({})
class SettingsModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [
        { provide: GatewaySettings, useValue: config },
        { provide: KeyRing, useFactory: () => KeyRing.parse(config.SECRETS_KEYS) },
      ],
      exports: [GatewaySettings, KeyRing],
    };
  }
}

@Module({})
export class GatewayModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        SettingsModule.forRoot(config),
        FileStoreModule.forRoot(config),
        ConsoleModule,
        IdentityModule,
        RoutesModule,
      ],
      providers: [DocsRoutes],
    };
  }
}

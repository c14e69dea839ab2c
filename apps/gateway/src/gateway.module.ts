import { runProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { FileStoreModule } from '@aos/file-store';
import { KeyRing } from '@aos/secrets';
import { Module, type DynamicModule } from '@nestjs/common';
import { Authenticator } from './auth/authenticator.js';
import { FailedAuthentications } from './auth/failed-authentications.js';
import { RateLimits } from './auth/rate-limits.js';
import { VerifiedCredentials } from './auth/verified-credentials.js';
import { FileAnswers } from './files/file-answers.js';
import { FilesHandlers } from './files/files.handlers.js';
import { ReceivedFiles } from './files/received-files.js';
import { GatewaySettings, type GatewayConfig } from './gateway.config.js';
import { OperationRoutes } from './http/operation-routes.js';
import { OperatorRoutes } from './http/operator-routes.js';
import { IdentityModule } from './identity/identity.module.js';
import { OAuthRoutes } from './oauth/oauth.routes.js';
import { DocsRoutes } from './openapi/docs.routes.js';
import { HeldRequests } from './runs/held-requests.js';
import { RunEventStreams } from './runs/run-event-streams.js';
import { RunProgressFeed } from './runs/run-progress-feed.js';
import { RunWaits } from './runs/run-waits.js';

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
      imports: [SettingsModule.forRoot(config), FileStoreModule.forRoot(config), IdentityModule],
      controllers: [FilesHandlers],
      providers: [
        Authenticator,
        FailedAuthentications,
        VerifiedCredentials,
        RateLimits,
        OperationRoutes,
        OperatorRoutes,
        OAuthRoutes,
        DocsRoutes,
        ReceivedFiles,
        FileAnswers,
        HeldRequests,
        RunWaits,
        RunEventStreams,
        { provide: RunProgressFeed, inject: [Broadcasts], useFactory: listeningFeed },
      ],
    };
  }
}

function listeningFeed(broadcasts: Broadcasts): RunProgressFeed {
  const feed = new RunProgressFeed();
  broadcasts.listen(runProgress, (news) => feed.hear(news));
  return feed;
}

import { Module } from '@nestjs/common';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { ApiKeysHandlers } from './api-keys/api-keys.handlers.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { OAuthClientEntity } from './oauth-clients/oauth-client.entity.js';
import { OAuthClientsHandlers } from './oauth-clients/oauth-clients.handlers.js';
import { OAuthClientsRepository } from './oauth-clients/oauth-clients.repository.js';
import { OAuthClientsService } from './oauth-clients/oauth-clients.service.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SignInSessionEntity } from './sessions/sign-in-session.entity.js';
import { TeamEntity } from './teams/team.entity.js';
import { TeamsHandlers } from './teams/teams.handlers.js';
import { TeamsRepository } from './teams/teams.repository.js';
import { TeamsService } from './teams/teams.service.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { RevokedTokenEntity, SigningKeyEntity } from './tokens/token.entities.js';
import { gatewayTables } from '../gateway.tables.sql.js';

/** Teams and their credentials. */
@Module({
  controllers: [TeamsHandlers, ApiKeysHandlers, OAuthClientsHandlers],
  providers: [
    TeamsService,
    TeamsRepository,
    ApiKeysService,
    ApiKeysRepository,
    OAuthClientsService,
    OAuthClientsRepository,
    SessionsRepository,
    SigningKeys,
    AccessTokens,
  ],
  exports: [
    TeamsRepository,
    ApiKeysRepository,
    OAuthClientsService,
    SessionsRepository,
    SigningKeys,
    AccessTokens,
  ],
})
export class IdentityModule {}

export const identityModel = {
  entities: [
    TeamEntity,
    ApiKeyEntity,
    OAuthClientEntity,
    SignInSessionEntity,
    SigningKeyEntity,
    RevokedTokenEntity,
  ],
  tables: gatewayTables,
} as const;

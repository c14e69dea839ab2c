import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { Authenticator } from './authenticator.js';
import { FailedAuthentications } from './failed-authentications.js';
import { OAuthRoutes } from './oauth/oauth.routes.js';
import { RateLimits } from './rate-limits.js';
import { RequestCredentials } from './request-credentials.js';
import { RequestLimits } from './request-limits.js';
import { TeamPlans } from './team-plans.js';
import { VerifiedCredentials } from './verified-credentials.js';

/** Authenticates callers and limits their requests; gives access tokens to OAuth clients. */
@Module({
  imports: [IdentityModule],
  providers: [
    Authenticator,
    FailedAuthentications,
    OAuthRoutes,
    VerifiedCredentials,
    RateLimits,
    RequestCredentials,
    RequestLimits,
    TeamPlans,
  ],
  exports: [Authenticator, FailedAuthentications, RequestCredentials, RequestLimits, TeamPlans],
})
export class AuthModule {}

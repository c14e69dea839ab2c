import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { Authenticator } from './authenticator.js';
import { FailedAuthentications } from './failed-authentications.js';
import { RateLimits } from './rate-limits.js';
import { RequestCredentials } from './request-credentials.js';
import { RequestLimits } from './request-limits.js';
import { TeamPlans } from './team-plans.js';
import { VerifiedCredentials } from './verified-credentials.js';

/** Who calls, and how often. */
@Module({
  imports: [IdentityModule],
  providers: [
    Authenticator,
    FailedAuthentications,
    VerifiedCredentials,
    RateLimits,
    RequestCredentials,
    RequestLimits,
    TeamPlans,
  ],
  exports: [Authenticator, FailedAuthentications, RequestCredentials, RequestLimits, TeamPlans],
})
export class AuthModule {}

import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { Authenticator } from './authenticator.js';
import { FailedAuthentications } from './failed-authentications.js';
import { RateLimits } from './rate-limits.js';
import { VerifiedCredentials } from './verified-credentials.js';

/** Who calls, and how often. */
@Module({
  imports: [IdentityModule],
  providers: [Authenticator, FailedAuthentications, VerifiedCredentials, RateLimits],
  exports: [Authenticator, FailedAuthentications, RateLimits],
})
export class AuthModule {}

import { Module } from '@nestjs/common';
import { AuthModule } from '../auth.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { OAuthRoutes } from './oauth.routes.js';

/** Access tokens for OAuth clients. */
@Module({ imports: [AuthModule, IdentityModule], providers: [OAuthRoutes] })
export class OAuthModule {}

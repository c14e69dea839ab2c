import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { BrowserSessions } from './browser-sessions.js';
import { ConsoleRoutes } from './console.routes.js';
import { SessionRoutes } from './session.routes.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignInRoutes } from './sign-in.routes.js';

/** The pages for people, and how they sign in. */
@Module({
  imports: [AuthModule, IdentityModule],
  providers: [BrowserSessions, ConsoleRoutes, SessionRoutes, SignInCodes, SignInRoutes],
})
export class ConsoleModule {}

import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ConsoleRoutes } from './console.routes.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignInRoutes } from './sign-in.routes.js';

/** The pages for people, and the link that signs them in. */
@Module({ imports: [AuthModule], providers: [ConsoleRoutes, SignInCodes, SignInRoutes] })
export class ConsoleModule {}

import { Module } from '@nestjs/common';
import { DocsRoutes } from './docs.routes.js';

/** The description of the interface, for programs and for people. */
@Module({ providers: [DocsRoutes] })
export class OpenApiModule {}

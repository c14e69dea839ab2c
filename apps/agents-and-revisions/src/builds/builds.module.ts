import { Module } from '@nestjs/common';
import { BuildsRepository } from './builds.repository.js';
import { ResolvedBuildsHandlers } from './resolved-builds.handlers.js';

/** The builds' rows, and what runs copy of them. */
@Module({
  controllers: [ResolvedBuildsHandlers],
  providers: [BuildsRepository],
  exports: [BuildsRepository],
})
export class BuildsModule {}

import { Module } from '@nestjs/common';
import { BuildsRepository } from './builds.repository.js';
import { ResolvedBuildsHandlers } from './resolved-builds.handlers.js';
import { RevisionWarnings } from './revision-warnings.js';

/** The builds' rows, and what runs copy of them. */
@Module({
  controllers: [ResolvedBuildsHandlers],
  providers: [BuildsRepository, RevisionWarnings],
  exports: [BuildsRepository, RevisionWarnings],
})
export class BuildsModule {}

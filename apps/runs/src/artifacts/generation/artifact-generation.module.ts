import { Module } from '@nestjs/common';
import { ArtifactCoreModule } from '../artifact-core.module.js';
import { ConnectionToolsModule } from '../../tools/connections/connection-tools.module.js';
import { TeamFiguresModule } from '../team-figures/team-figures.module.js';
import { ArtifactGeneration } from './artifact-generation.js';
import { ArtifactGenerationJobs } from './artifact-generation.jobs.js';
import { ArtifactTurns } from './artifact-turns.js';
import { PageMakers } from './page-makers.js';
import { ArtifactSources } from './page-sources.js';
import { SpentTokens } from './spent-tokens.js';

/** The workers that have pages made. */
@Module({
  imports: [ArtifactCoreModule, ConnectionToolsModule, TeamFiguresModule],
  providers: [
    ArtifactGeneration,
    ArtifactGenerationJobs,
    ArtifactTurns,
    PageMakers,
    ArtifactSources,
    SpentTokens,
  ],
})
export class ArtifactGenerationModule {}

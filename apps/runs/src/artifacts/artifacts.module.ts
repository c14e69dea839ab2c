import { Module } from '@nestjs/common';
import { CapacityModule } from '../capacity/capacity.module.js';
import { FilesModule } from '../files/files.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { ArtifactHistory } from './artifact-history.js';
import { ArtifactRequestsService } from './artifact-requests.service.js';
import { ArtifactsHandlers } from './artifacts.handlers.js';
import { ArtifactsRepository } from './artifacts.repository.js';
import { ArtifactsService } from './artifacts.service.js';
import { ArtifactConnectionsHandlers } from './connections/artifact-connections.handlers.js';
import {
  ArtifactConnectionsRepository,
  ArtifactConnectionsService,
} from './connections/artifact-connections.service.js';
import { ArtifactDispatch } from './generation/artifact-dispatch.js';
import { ArtifactGenerationJobs } from './generation/artifact-generation.jobs.js';
import { ArtifactGeneration } from './generation/artifact-generation.js';
import { ArtifactLeases } from './generation/artifact-leases.js';
import { ArtifactPermits, ArtifactStops } from './generation/artifact-permits.js';
import { ArtifactClaims } from './generation/artifact-claims.js';
import { PageMakers } from './generation/page-makers.js';
import { ArtifactSources } from './generation/page-sources.js';
import { SpentTokens } from './generation/spent-tokens.js';
import { ArtifactPagesHandlers } from './pages/artifact-pages.handlers.js';
import { ArtifactPagesService } from './pages/artifact-pages.service.js';
import { PagePrinting } from './pages/page-printing.js';
import { ArtifactRefresh } from './refresh/artifact-refresh.js';
import { TeamFigures } from './team-figures/team-figures.js';

/** Artifacts: their rows, pages, generation, refresh and connections. */
@Module({
  imports: [CapacityModule, FilesModule, ToolsModule],
  controllers: [ArtifactsHandlers, ArtifactConnectionsHandlers, ArtifactPagesHandlers],
  providers: [
    ArtifactsRepository,
    ArtifactHistory,
    ArtifactLeases,
    ArtifactDispatch,
    ArtifactConnectionsRepository,
    ArtifactsService,
    ArtifactRequestsService,
    ArtifactPermits,
    ArtifactStops,
    ArtifactConnectionsService,
    ArtifactGeneration,
    ArtifactGenerationJobs,
    ArtifactClaims,
    PageMakers,
    ArtifactSources,
    SpentTokens,
    ArtifactPagesService,
    PagePrinting,
    ArtifactRefresh,
    TeamFigures,
  ],
})
export class ArtifactsModule {}

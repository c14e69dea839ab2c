import { Module } from '@nestjs/common';
import { ArtifactConnectionsModule } from './connections/artifact-connections.module.js';
import { ArtifactCoreModule } from './artifact-core.module.js';
import { TeamLimitsModule } from '../capacity/team-limits/team-limits.module.js';
import { ArtifactPermits } from './generation/artifact-permits.js';
import { ArtifactRequestsService } from './artifact-requests.service.js';
import { ArtifactStops } from './generation/artifact-stops.js';
import { ArtifactsHandlers } from './artifacts.handlers.js';
import { ArtifactsService } from './artifacts.service.js';

/** What clients do with artifacts. */
@Module({
  imports: [ArtifactCoreModule, ArtifactConnectionsModule, TeamLimitsModule],
  controllers: [ArtifactsHandlers],
  providers: [ArtifactsService, ArtifactRequestsService, ArtifactPermits, ArtifactStops],
  exports: [ArtifactPermits],
})
export class ArtifactsModule {}

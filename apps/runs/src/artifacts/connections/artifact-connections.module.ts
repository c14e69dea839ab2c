import { Module } from '@nestjs/common';
import { ArtifactCoreModule } from '../artifact-core.module.js';
import { ArtifactConnectionsHandlers } from './artifact-connections.handlers.js';
import { ArtifactConnectionsService } from './artifact-connections.service.js';

/** What artifacts may read with beside the figures of the team. */
@Module({
  imports: [ArtifactCoreModule],
  controllers: [ArtifactConnectionsHandlers],
  providers: [ArtifactConnectionsService],
  exports: [ArtifactConnectionsService],
})
export class ArtifactConnectionsModule {}

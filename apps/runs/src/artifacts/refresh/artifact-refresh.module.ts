import { Module } from '@nestjs/common';
import { ArtifactCoreModule } from '../artifact-core.module.js';
import { ArtifactsModule } from '../artifacts.module.js';
import { ArtifactRefresh } from './artifact-refresh.js';

/** Artifacts that are made anew by themselves. */
@Module({ imports: [ArtifactCoreModule, ArtifactsModule], providers: [ArtifactRefresh] })
export class ArtifactRefreshModule {}

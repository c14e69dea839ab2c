import { Module } from '@nestjs/common';
import { ArtifactConnectionsRepository } from './connections/artifact-connections.repository.js';
import { ArtifactDispatch } from './generation/artifact-dispatch.js';
import { ArtifactHistory } from './artifact-history.js';
import { ArtifactLeases } from './generation/artifact-leases.js';
import { ArtifactsRepository } from './artifacts.repository.js';

const parts = [
  ArtifactsRepository,
  ArtifactHistory,
  ArtifactLeases,
  ArtifactDispatch,
  ArtifactConnectionsRepository,
];

/** The rows of artifacts, and the jobs that make their pages. */
@Module({ providers: parts, exports: parts })
export class ArtifactCoreModule {}

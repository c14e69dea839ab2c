import { Module } from '@nestjs/common';
import { ArtifactConnectionsRepository } from './artifact-connections.repository.js';
import { ArtifactDispatch } from './artifact-dispatch.js';
import { ArtifactHistory } from './artifact-history.js';
import { ArtifactLeases } from './artifact-leases.js';
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

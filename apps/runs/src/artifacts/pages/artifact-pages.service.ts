import { AppError, notFound, type HandedFile } from '@aos/contracts';
import type { Page, PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ArtifactHistory, type RevisionFacts } from '../artifact-history.js';
import type { ArtifactEntity, ArtifactRevisionEntity } from '../artifact.entities.js';
import { ArtifactsRepository, type Viewer } from '../artifacts.repository.js';
import { PagePrinting } from './page-printing.js';

/** The pages of artifacts: shown, saved, and shown again. */
@Injectable()
export class ArtifactPagesService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly history: ArtifactHistory,
    private readonly printing: PagePrinting,
  ) {}

  async current(viewer: Viewer, artifactId: string): Promise<ArtifactRevisionEntity> {
    const { current_version: version } = await this.artifacts.get(viewer, artifactId);
    const page = await this.history.version(artifactId, version);
    if (!page) throw new AppError('invalid_state', 'The artifact has no page yet.');
    return page;
  }

  async revision(viewer: Viewer, artifactId: string, revisionId: string): Promise<ArtifactRevisionEntity> {
    await this.artifacts.get(viewer, artifactId);
    return this.history.revision(artifactId, revisionId);
  }

  /** An address that was never given out, one that was taken back, and one without a page yet: all name nothing. */
  async published(token: string): Promise<ArtifactRevisionEntity> {
    const artifact = await this.artifacts.published(token);
    const page = artifact && (await this.history.version(artifact.id, artifact.current_version));
    if (!page) throw notFound('The page');
    return page;
  }

  async pdf(viewer: Viewer, artifactId: string): Promise<HandedFile> {
    return this.printing.print(viewer.teamId, await this.current(viewer, artifactId));
  }

  async revisions(
    viewer: Viewer,
    artifactId: string,
    page: PageRequest,
  ): Promise<{ artifact: ArtifactEntity; revisions: Page<RevisionFacts> }> {
    const artifact = await this.artifacts.get(viewer, artifactId);
    return { artifact, revisions: await this.history.revisions(artifactId, page) };
  }

  /** As a new revision: what came since stays. */
  async restore(
    viewer: Viewer,
    artifactId: string,
    revisionId: string,
  ): Promise<{ artifact: ArtifactEntity; revision: RevisionFacts }> {
    const { current_version: version, status } = await this.artifacts.lock(viewer, artifactId);
    const restored = await this.history.revision(artifactId, revisionId);
    const next = (version ?? 0) + 1;
    const artifact = await this.artifacts.move(artifactId, 'restore', { current_version: next, error: null });
    if (!artifact) throw new AppError('invalid_state', `The artifact is ${status}: it has not ended yet.`);
    const revision = await this.history.add(artifactId, next, restored, {
      source: 'restore',
      restoredVersion: restored.version,
    });
    return { artifact, revision };
  }
}

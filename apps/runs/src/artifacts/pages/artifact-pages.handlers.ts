import {
  type ArtifactPage,
  exportArtifactHtml,
  exportArtifactPdf,
  listArtifactRevisions,
  renderArtifact,
  renderArtifactRevision,
  type Req,
  restoreArtifactRevision,
  viewPublicArtifact,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller, Inject } from '@nestjs/common';
import { pagesOrigin, type RunsConfig, RunsSettings } from '../../runs.config.js';
import type { ArtifactRevisionEntity } from '../artifact.entities.js';
import { artifactAnswer, toRevision } from '../artifact.mapper.js';
import { ArtifactPagesService } from './artifact-pages.service.js';
import { pageDocument } from './page-printing.js';
import { viewerOf } from './viewer.js';

@Controller()
export class ArtifactPagesHandlers {
  constructor(
    private readonly pages: ArtifactPagesService,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {}

  @Handles(renderArtifact)
  async renderArtifact({ params, ...caller }: Req<typeof renderArtifact>) {
    return shown(await this.pages.current(viewerOf(caller), params.artifactId), 'inline');
  }

  @Handles(exportArtifactHtml)
  async exportArtifactHtml({ params, ...caller }: Req<typeof exportArtifactHtml>) {
    return shown(await this.pages.current(viewerOf(caller), params.artifactId), 'attachment');
  }

  @Handles(exportArtifactPdf)
  exportArtifactPdf({ params, ...caller }: Req<typeof exportArtifactPdf>) {
    return this.pages.pdf(viewerOf(caller), params.artifactId);
  }

  @Handles(listArtifactRevisions)
  async listArtifactRevisions({ params, query, ...caller }: Req<typeof listArtifactRevisions>) {
    const { artifact, revisions } = await this.pages.revisions(viewerOf(caller), params.artifactId, query);
    return listAnswer('revisions', revisions, (row) => toRevision(row, artifact.current_version));
  }

  @Handles(renderArtifactRevision)
  async renderArtifactRevision({ params, ...caller }: Req<typeof renderArtifactRevision>) {
    return shown(await this.pages.revision(viewerOf(caller), params.artifactId, params.revisionId), 'inline');
  }

  @Handles(restoreArtifactRevision)
  async restoreArtifactRevision({ params, ...caller }: Req<typeof restoreArtifactRevision>) {
    const restored = await this.pages.restore(viewerOf(caller), params.artifactId, params.revisionId);
    const answer = artifactAnswer(restored.artifact, pagesOrigin(this.settings));
    return { ...answer, revision: toRevision(restored.revision, answer.current_version) };
  }

  @Handles(viewPublicArtifact)
  async viewPublicArtifact({ params }: Req<typeof viewPublicArtifact>) {
    return shown(await this.pages.published(params.token), 'inline');
  }
}

function shown(page: ArtifactRevisionEntity, disposition: ArtifactPage['disposition']): ArtifactPage {
  return { title: page.title, html: pageDocument(page), disposition };
}

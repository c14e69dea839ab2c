import { Module } from '@nestjs/common';
import { ArtifactCoreModule } from '../artifact-core.module.js';
import { BrowserModule } from '../../tools/browser/browser.module.js';
import { SandboxesModule } from '../../files/sandboxes.module.js';
import { ArtifactPagesHandlers } from './artifact-pages.handlers.js';
import { ArtifactPagesService } from './artifact-pages.service.js';
import { PagePrinting } from './page-printing.js';

/** The pages of artifacts, as documents. */
@Module({
  imports: [ArtifactCoreModule, BrowserModule, SandboxesModule],
  controllers: [ArtifactPagesHandlers],
  providers: [ArtifactPagesService, PagePrinting],
})
export class ArtifactPagesModule {}

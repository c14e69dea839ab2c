import { Readable } from 'node:stream';
import { FairLimiter } from '@aos/background';
import { BrowserActionError, type BrowserLauncher } from '@aos/browser';
import { AppError, artifactPagePolicy, type HandedFile } from '@aos/contracts';
import { Files, type FileStore, FileTooLarge } from '@aos/file-store';
import { newId } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { FileGarbageRepository } from '../../files/file-sweeps.js';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { Launcher } from '../../tools/browser/browsers.js';
import type { MadePage } from '../artifact-history.js';
import type { ArtifactRevisionEntity } from '../artifact.entities.js';
import { escapeHtml } from './clean-page.js';

/**
 * The document of a page. It says itself what it may do, for a copy of it is served by nobody; as the first thing in it,
 * since a policy holds for what comes after.
 */
export function pageDocument({ title, body }: MadePage): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(artifactPagePolicy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
${body}
</body>
</html>
`;
}

const timeoutMs = 30_000;
const maxBytes = 32 * 1024 * 1024;
/** How long a client may take to begin with the download. */
const keptForMs = 600_000;
const retryAfterSeconds = 2;

/** Prints pages with Chromium, a few at a time, and puts the bytes where the gateway finds them for a while. */
@Injectable()
export class PagePrinting {
  private readonly limiter: FairLimiter;

  constructor(
    @Inject(Launcher) private readonly launcher: BrowserLauncher | undefined,
    @Inject(Files) private readonly files: FileStore,
    private readonly garbage: FileGarbageRepository,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    this.limiter = new FairLimiter({ maxConcurrent: settings.ARTIFACT_PDF_CONCURRENCY });
  }

  async print(teamId: string, page: ArtifactRevisionEntity): Promise<HandedFile> {
    const { launcher } = this;
    if (!launcher) {
      throw new AppError(
        'not_configured',
        'No Chromium is installed where the run service is, so that no PDF can be printed.',
      );
    }
    if (!this.limiter.tryAcquire(teamId)) {
      throw new AppError('unavailable', 'All PDF renderers of the team are busy; try again.', {
        retryAfterSeconds,
      });
    }
    try {
      const html = pageDocument(page);
      return await this.store(
        teamId,
        page,
        await launcher.print({ html, policy: `${artifactPagePolicy}; sandbox` }, { timeoutMs }),
      );
    } catch (error) {
      if (error instanceof BrowserActionError) {
        throw new AppError('unavailable', error.message, { retryAfterSeconds, cause: error });
      }
      throw error;
    } finally {
      this.limiter.release(teamId);
    }
  }

  /** Garbage from the first: the bytes become no file, and are swept when they have been fetched. */
  private async store(teamId: string, page: ArtifactRevisionEntity, pdf: Buffer): Promise<HandedFile> {
    const key = `artifacts/${teamId}/${newId()}.pdf`;
    await this.garbage.add(key, keptForMs);
    try {
      const { sizeBytes, sha256 } = await this.files.write(key, Readable.from([pdf]), { maxBytes });
      return {
        path: `${page.title}.pdf`,
        key,
        size_bytes: sizeBytes,
        sha256,
        content_type: 'application/pdf',
        disposition: 'attachment',
        updated_at: page.created_at.toISOString(),
      };
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error;
      throw new AppError('limit_reached', `The PDF is too large: at most ${maxBytes} bytes.`);
    }
  }
}

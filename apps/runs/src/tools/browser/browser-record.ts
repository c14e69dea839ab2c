import { rm } from 'node:fs/promises';
import type { ActionReport, FinishedDownload } from '@aos/browser';
import { sandboxFilePath, sandboxRoot } from '@aos/file-store';
import { newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunFiles, type WorkingRun } from '../../files/run-files.js';
import type { BrowserAction } from './browser.entities.js';
import { BrowserRepository } from './browser.repository.js';

/** Keeps what a browser showed and brought: pages, a picture after each action, downloads. */
@Injectable()
export class BrowserRecord {
  constructor(
    private readonly files: RunFiles,
    private readonly repository: BrowserRepository,
  ) {}

  /** Gives where the picture is. */
  async keepPicture(
    run: WorkingRun,
    sessionId: string,
    action: BrowserAction,
    { screenshot, page, pages }: ActionReport,
  ): Promise<string> {
    const id = newId();
    const path = `${sandboxRoot}/screenshots/${id}.png`;
    const beside = async (file: { path: string }) => {
      await this.repository.savePages(
        pages.map(({ openedAt, closedAt, ...facts }) => {
          return { ...facts, session_id: sessionId, opened_at: openedAt, closed_at: closedAt };
        }),
      );
      await this.repository.insertScreenshot({
        id,
        run_id: run.runId,
        session_id: sessionId,
        page_id: page.id,
        url: page.url,
        title: page.title,
        action,
        captured_at: screenshot.capturedAt,
        width: screenshot.width,
        height: screenshot.height,
        file_path: file.path,
      });
    };
    await this.files.write(run, path, screenshot.png, { beside });
    return path;
  }

  /** Gives where the file is. */
  async keepDownload(run: WorkingRun, download: FinishedDownload): Promise<string> {
    const file = await this.files.write(run, pathOf(download), await download.read());
    await rm(download.path, { force: true });
    return file.path;
  }
}

/** Whatever name a page suggests, the file lies in the folder of downloads. */
function pathOf({ suggestedName }: FinishedDownload): string {
  const wanted = `${sandboxRoot}/downloads/${suggestedName.replaceAll('/', '_')}`;
  const verdict = sandboxFilePath(wanted);
  const inPlace = verdict.ok && verdict.path.startsWith(`${sandboxRoot}/downloads/`);
  return inPlace ? verdict.path : `${sandboxRoot}/downloads/${newId()}`;
}

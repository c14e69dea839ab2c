import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Download } from 'playwright-core';
import type { FinishedDownload } from './action-report.js';
import { NotADownload, readDownload, sizeOfDownload } from './download-file.js';
import type { LaunchedChromium } from '../chromium/launch.js';
import type { BrowserLimits } from '../limits.js';
import { cutName } from './text.js';

const pollMs = 200;
const maxNameLength = 200;
const maxProblems = 200;

/** The downloads of a session: Chromium writes them, this watches their sizes. */
export class Downloads {
  private count = 0;
  private readonly pending = new Map<Download, Promise<void>>();
  private finished: FinishedDownload[] = [];
  private problems: string[] = [];
  private watching = false;
  /** Cancelled for their size, and not yet told. */
  private readonly oversized = new Set<string>();
  /** Came to their end: Chromium takes the cancelling of one of them without a word, and breaks nothing off. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly browser: Pick<LaunchedChromium, 'context' | 'control' | 'downloadsFolder' | 'ownerId'>,
    private readonly limits: Pick<BrowserLimits, 'maxDownloadBytes' | 'maxDownloads'>,
  ) {
    browser.context.on('download', (download) => this.begin(download));
  }

  /** Names of those that go on. */
  underWay(): string[] {
    return [...this.pending.keys()].map(nameOf);
  }

  /** Waits for those that have begun, no longer than given. */
  async settled(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.pending.size === 0) return;
    const patience = new AbortController();
    const ends = [patience.signal, ...(signal ? [signal] : [])];
    const late = delay(timeoutMs, undefined, { signal: AbortSignal.any(ends) });
    await Promise.race([Promise.all(this.pending.values()), late.catch(() => undefined)]);
    patience.abort();
  }

  /** Those that have come to their end since it was last asked. */
  takeFinished(): readonly FinishedDownload[] {
    const { finished } = this;
    this.finished = [];
    return finished;
  }

  takeProblems(): readonly string[] {
    const { problems } = this;
    this.problems = [];
    return problems;
  }

  private begin(download: Download): void {
    this.count += 1;
    if (this.count > this.limits.maxDownloads) return this.refuse(download);
    const outcome = this.follow(download).finally(() => this.pending.delete(download));
    this.pending.set(download, outcome);
    if (!this.watching) void this.watchSizes();
  }

  /** A page can begin them without end. When there is no room for more problems, the earlier ones say what is wrong. */
  private refuse(download: Download): void {
    if (this.problems.length < maxProblems)
      this.problems.push(
        `A session may download ${this.limits.maxDownloads} files; ${nameOf(download)} is one more.`,
      );
    download.cancel().catch(() => undefined);
  }

  private async follow(download: Download): Promise<void> {
    try {
      const path = await download.path();
      this.ended.add(basename(path));
      this.oversized.delete(basename(path));
      const { downloadsFolder: folder, ownerId } = this.browser;
      const file = { folder, name: basename(path), ownerId };
      const sizeBytes = await sizeOfDownload(file);
      if (sizeBytes <= this.limits.maxDownloadBytes) {
        const read = () => readDownload(file);
        this.finished.push({ suggestedName: nameOf(download), url: download.url(), path, sizeBytes, read });
        return;
      }
      await rm(path, { force: true });
      this.problems.push(this.tooLarge(download));
    } catch (error) {
      if (error instanceof NotADownload) {
        this.problems.push(`The download of ${nameOf(download)} is no file of the browser.`);
        return;
      }
      // Playwright tells an end by our doing from one by the server's neither by name nor by id.
      const [oversized] = this.oversized;
      if (oversized) this.oversized.delete(oversized);
      const broken = `The download of ${nameOf(download)} broke off.`;
      this.problems.push(oversized ? this.tooLarge(download) : broken);
    }
  }

  /** Playwright tells no progress, but Chromium names the growing file by the id under which it can be cancelled. */
  private async watchSizes(): Promise<void> {
    this.watching = true;
    while (this.pending.size > 0) {
      for (const file of await readdir(this.browser.downloadsFolder).catch(() => [])) {
        const size = await lstat(join(this.browser.downloadsFolder, file)).then(
          ({ size }) => size,
          () => 0,
        );
        if (size > this.limits.maxDownloadBytes) await this.cancel(basename(file, '.crdownload'));
      }
      await delay(pollMs);
    }
    this.watching = false;
  }

  private async cancel(guid: string): Promise<void> {
    if (this.ended.has(guid)) return;
    this.oversized.add(guid);
    // It may have come to its end meanwhile; then its size is looked at there.
    const tooLate = (): unknown => this.oversized.delete(guid);
    await this.browser.control.send('Browser.cancelDownload', { guid }).catch(tooLate);
  }

  private tooLarge(download: Download): string {
    return `The download of ${nameOf(download)} is larger than ${this.limits.maxDownloadBytes} bytes.`;
  }
}

function nameOf(download: Download): string {
  return cutName(basename(download.suggestedFilename()), maxNameLength) || 'download';
}

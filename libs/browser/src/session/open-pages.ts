import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { PageFacts } from './action-report.js';
import type { LaunchedChromium } from '../chromium/launch.js';
import type { BrowserLimits } from '../limits.js';
import { cutName } from './text.js';
import { within } from './waiting.js';

interface Entry {
  readonly id: string;
  readonly page: Page;
  readonly openedAt: Date;
  closedAt: Date | null;
  url: string;
  title: string;
}

const maxUrlLength = 2_048;
const maxTitleLength = 500;
const titleTimeoutMs = 1_000;
const pollMs = 50;

/**
 * The pages of a session in the order in which they were opened; the last one that is open is the current one. Pages can
 * open others without end: those that are too many are none of the session, and nothing is kept of them.
 */
export class OpenPages {
  private readonly entries: Entry[] = [];
  /** The page that is being opened for the agent. */
  private opening: Promise<Page | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly browser: Pick<LaunchedChromium, 'context' | 'control'>,
    private readonly limits: Pick<BrowserLimits, 'maxPages' | 'maxPagesEver'>,
  ) {
    browser.context.on('page', (page) => this.add(page));
  }

  get current(): Page | undefined {
    return this.open().at(-1)?.page;
  }

  /** For the agent: such a page is never one too many, or a site could leave it without any. */
  async openNew(): Promise<Page> {
    const opening = this.browser.context.newPage();
    this.opening = opening.catch(() => undefined);
    const page = await opening;
    if (!this.entryOf(page)) this.keep(page);
    return page;
  }

  /** Waits for pages that Chromium is opening or closing: Playwright tells of a page when it is ready. */
  async settled(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { context, control } = this.browser;
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += pollMs) {
      const { targetInfos } = await control.send('Target.getTargets');
      // Those with a subtype are rendered in advance and may never be shown.
      const targets = targetInfos.filter(({ type, subtype }) => type === 'page' && !subtype);
      if (targets.length === context.pages().length) return;
      await delay(pollMs, undefined, { signal });
    }
  }

  /** Asks every open page what it shows; one that does not answer keeps its last title. */
  async refresh(): Promise<void> {
    await Promise.all(
      this.open().map(async (entry) => {
        entry.url = cutName(entry.page.url(), maxUrlLength);
        const title = await within(titleTimeoutMs, entry.page.title());
        if (title !== undefined) entry.title = cutName(title, maxTitleLength);
      }),
    );
  }

  facts(): PageFacts[] {
    return this.entries.map(factsOf);
  }

  factsOf(page: Page): PageFacts {
    const entry = this.entryOf(page);
    if (!entry) throw new Error('The page is none of the session');
    return factsOf(entry);
  }

  /** For a page that hangs or has crashed: it counts as closed although it may take its time. */
  abandon(page: Page): void {
    this.markClosed(page);
    page.close().catch(() => undefined);
  }

  private open(): Entry[] {
    return this.entries.filter(({ closedAt }) => closedAt === null);
  }

  private entryOf(page: Page): Entry | undefined {
    return this.entries.find((candidate) => candidate.page === page);
  }

  private add(page: Page): void {
    const { maxPages, maxPagesEver } = this.limits;
    const isOneTooMany = this.open().length >= maxPages || this.entries.length >= maxPagesEver;
    if (isOneTooMany) void this.refuse(page);
    else this.keep(page);
  }

  /** Playwright tells of a page before it is known whether it is the agent's. */
  private async refuse(page: Page): Promise<void> {
    if ((await this.opening) !== page) await page.close().catch(() => undefined);
  }

  private keep(page: Page): void {
    this.entries.push({
      id: randomUUID(),
      page,
      openedAt: new Date(),
      closedAt: null,
      url: cutName(page.url(), maxUrlLength),
      title: '',
    });
    page.once('close', () => this.markClosed(page));
    page.once('crash', () => this.abandon(page));
  }

  private markClosed(page: Page): void {
    const entry = this.entryOf(page);
    if (entry) entry.closedAt ??= new Date();
  }
}

function factsOf({ id, url, title, openedAt, closedAt }: Entry): PageFacts {
  return { id, url, title, openedAt, closedAt };
}

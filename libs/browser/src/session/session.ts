import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { browserGone, BrowserActionError, toActionError, withReport } from './action-error.js';
import type { ActionReport } from './action-report.js';
import {
  checkAddress,
  clickElement,
  openAddress,
  readText,
  typeInto,
  type ActionContext,
} from './actions.js';
import { Downloads } from './downloads.js';
import type { ForwardProxy } from '../guard/forward-proxy.js';
import type { EgressRules } from '../guard/guarded-connect.js';
import { removeBrowser, type LaunchedChromium } from '../chromium/launch.js';
import type { BrowserLimits } from '../limits.js';
import { Navigations } from './navigations.js';
import { OpenPages } from './open-pages.js';
import { takeScreenshot } from './screenshot.js';
import { cutName } from './text.js';
import { SerialQueue, untilAborted, within } from './waiting.js';

/**
 * A browser of one run. Actions run one at a time, and each ends with a report or a `BrowserActionError`; a signal ends
 * it at once with its reason, and leaves the session open.
 */
export interface BrowserSession {
  /** True after `close`, and when Chromium has ended by itself. */
  readonly closed: boolean;
  open(url: string, signal?: AbortSignal): Promise<ActionReport>;
  click(selector: string, signal?: AbortSignal): Promise<ActionReport>;
  type(selector: string, text: string, signal?: AbortSignal): Promise<ActionReport>;
  read(selector: string | undefined, signal?: AbortSignal): Promise<ActionReport>;
  screenshot(signal?: AbortSignal): Promise<ActionReport>;
  /** Ends Chromium, hanging or not, and removes its profile and its downloads. */
  close(): Promise<void>;
}

export interface ChromiumSessionOptions {
  readonly browser: LaunchedChromium;
  readonly proxy: ForwardProxy;
  readonly rules: EgressRules;
  readonly limits: BrowserLimits;
  readonly onClosed: () => void;
}

type ActionResult = Pick<ActionReport, 'status' | 'text' | 'textTruncated'>;

/** How long a click may take to cause what it causes; there is no sign that nothing will come. */
const consequencesMs = 250;
/** A page that does not answer for so long hangs, and causes nothing more. */
const pageAnswerMs = 2_000;
const maxDialogs = 20;
const maxDialogLength = 500;

export class ChromiumSession implements BrowserSession {
  private readonly actions = new SerialQueue();
  private readonly pages: OpenPages;
  private readonly navigations: Navigations;
  private readonly downloads: Downloads;
  private dialogs: string[] = [];
  private closing: Promise<void> | undefined;

  constructor(private readonly options: ChromiumSessionOptions) {
    const { browser, proxy, limits } = options;
    // The page that Chromium starts with is none of the session's; it stays, or closing the last would end Chromium.
    this.pages = new OpenPages(browser, limits);
    this.navigations = new Navigations(browser.context);
    this.downloads = new Downloads(browser, limits);
    proxy.onMissed = (missed) => this.navigations.remember(missed);
    browser.context.on('dialog', (dialog) => {
      if (this.dialogs.length < maxDialogs) this.dialogs.push(cutName(dialog.message(), maxDialogLength));
      // To dismiss the question whether to leave would let a page hold the browser.
      const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      answered.catch(() => undefined);
    });
    browser.context.on('close', () => this.close().catch(() => undefined));
  }

  get closed(): boolean {
    return this.closing !== undefined;
  }

  open(url: string, signal?: AbortSignal): Promise<ActionReport> {
    return this.perform(signal, async () => {
      const address = checkAddress(url, this.options.rules);
      const page = this.pages.current ?? (await this.pages.openNew());
      return this.settling(signal, openAddress(this.contextOf(page, signal), address));
    });
  }

  click(selector: string, signal?: AbortSignal): Promise<ActionReport> {
    return this.perform(signal, async () =>
      this.settling(signal, clickElement(this.contextOf(this.requirePage(), signal), selector)),
    );
  }

  type(selector: string, text: string, signal?: AbortSignal): Promise<ActionReport> {
    return this.perform(signal, async () =>
      this.settling(signal, typeInto(this.contextOf(this.requirePage(), signal), selector, text)),
    );
  }

  read(selector: string | undefined, signal?: AbortSignal): Promise<ActionReport> {
    return this.perform(signal, async () => readText(this.contextOf(this.requirePage(), signal), selector));
  }

  screenshot(signal?: AbortSignal): Promise<ActionReport> {
    return this.perform(signal, () => Promise.resolve({}));
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    const { browser, proxy, limits, onClosed } = this.options;
    await within(limits.closeTimeoutMs, browser.context.close());
    await Promise.all([removeBrowser(browser.folder), proxy.close()]);
    onClosed();
  }

  private contextOf(page: Page, signal: AbortSignal | undefined): ActionContext {
    return { page, signal, limits: this.options.limits };
  }

  private requirePage(): Page {
    const page = this.pages.current;
    if (!page) throw new BrowserActionError('invalid', 'No page is open. Open an address first.');
    return page;
  }

  private perform(signal: AbortSignal | undefined, act: () => Promise<ActionResult>): Promise<ActionReport> {
    const result = this.actions.run(async () => {
      signal?.throwIfAborted();
      if (this.closed) throw browserGone();
      this.navigations.reset();
      try {
        const outcome = await act().catch((error: unknown) => toActionError(error));
        signal?.throwIfAborted();
        return await this.tell(outcome);
      } catch (error) {
        throw this.isAlive() ? error : browserGone(error);
      }
    });
    return untilAborted(result, signal);
  }

  private isAlive(): boolean {
    return !this.closed && this.options.browser.context.browser()?.isConnected() === true;
  }

  /** Waits for what an action causes, also when it fails: pages that open or load, errors shown, downloads. */
  private async settling(
    signal: AbortSignal | undefined,
    action: Promise<ActionResult | void>,
  ): Promise<ActionResult> {
    const { actionTimeoutMs: timeout, navigationTimeoutMs } = this.options.limits;
    await action.catch(() => undefined);
    if (!this.isAlive()) throw browserGone();
    await delay(consequencesMs, undefined, { signal });
    // On a busy machine it takes longer; a page answers when it has done what came before the question.
    await untilAborted(within(pageAnswerMs, this.pages.current?.evaluate('1') ?? Promise.resolve()), signal);
    await this.pages.settled(timeout, signal);
    await this.navigations.settled(navigationTimeoutMs, signal);
    // A page whose parts take longer is shown as it is.
    await this.pages.current?.waitForLoadState('load', { timeout, signal }).catch(() => undefined);
    await this.downloads.settled(timeout, signal);
    return (await action) ?? {};
  }

  /** Ends an action: a report of what can be seen now, within the error when something went wrong. */
  private async tell(outcome: ActionResult | BrowserActionError): Promise<ActionReport> {
    const failure = this.failureOf(outcome);
    try {
      const report = await this.report(outcome instanceof BrowserActionError ? {} : outcome);
      if (!failure) return report;
      throw withReport(failure, report);
    } catch (error) {
      if (error instanceof BrowserActionError && error.report) throw error;
      throw failure ?? toActionError(error);
    }
  }

  private failureOf(outcome: ActionResult | BrowserActionError): BrowserActionError | undefined {
    const missed = this.navigations.missedNavigation();
    if (missed) {
      const kind = missed.kind === 'refused' ? 'refused' : 'navigation';
      return new BrowserActionError(kind, `The page was not opened. ${missed.reason}`);
    }
    const problems = this.downloads.takeProblems();
    if (outcome instanceof BrowserActionError) return outcome;
    return problems.length > 0 ? new BrowserActionError('download', problems.join(' ')) : undefined;
  }

  private async report(result: ActionResult): Promise<ActionReport> {
    const page = this.requirePage();
    const screenshot = await takeScreenshot(page, this.options.limits.actionTimeoutMs).catch(
      (error: unknown) => {
        this.pages.abandon(page);
        throw new BrowserActionError('crashed', 'The page does not respond and was closed.', {
          cause: error,
        });
      },
    );
    await this.pages.refresh();
    const { id, url, title } = this.pages.factsOf(page);
    const { dialogs } = this;
    this.dialogs = [];
    return {
      ...result,
      page: { id, url, title },
      pages: this.pages.facts(),
      screenshot,
      downloads: this.downloads.takeFinished(),
      downloading: this.downloads.underWay(),
      dialogs,
      refused: this.navigations.refused(),
    };
  }
}

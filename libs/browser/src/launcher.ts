import { tmpdir } from 'node:os';
import { removeAbandoned } from './chromium/abandoned-folders.js';
import { browserGone, BrowserActionError, toActionError } from './session/action-error.js';
import { ForwardProxy } from './guard/forward-proxy.js';
import type { EgressRules } from './guard/guarded-connect.js';
import { type BrowserIdentity, identitiesFor, thisSystem } from './chromium/identity.js';
import { launchChromium, removeBrowser, type LaunchedChromium } from './chromium/launch.js';
import { defaultLimits, type BrowserLimits } from './limits.js';
import { printPage, printTimedOut, type PrintedPage } from './printing.js';
import { ChromiumSession, type BrowserSession } from './session/session.js';
import { untilAborted, within } from './session/waiting.js';

export interface PrintOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

export interface BrowserLauncherOptions {
  /** See `findChromium`. */
  readonly executablePath: string;
  readonly egress: EgressRules;
  readonly limits?: Partial<BrowserLimits>;
  /** Chromium's own walls between a page and the machine; on unless the operator has switched them off. */
  readonly sandbox?: boolean;
  readonly temporaryFolder?: string;
  readonly path?: string;
  /** Told of starts that fail: the model is told no more than that. */
  readonly onFailedStart?: (error: unknown) => void;
}

const couldNotStart = 'The browser could not be started.';
const cannotStart =
  'The browser cannot be started in its sandbox on this machine. Its operator can allow user namespaces to the run ' +
  'service, or do without the sandbox by BROWSER_SANDBOX=off; the log of the service says what Chromium said.';

/** Starts browsers, each a process of its own with a profile of its own, and ends them. */
export class BrowserLauncher {
  private readonly limits: BrowserLimits;
  private readonly sessions = new Set<ChromiumSession>();
  private readonly launches = new Set<Promise<ChromiumSession>>();
  private readonly sandbox: boolean;
  /** The one that has worked on this machine. */
  private identity: BrowserIdentity | undefined;
  private readonly prints = new Set<AbortController>();
  private closed = false;

  constructor(private readonly options: BrowserLauncherOptions) {
    this.limits = { ...defaultLimits, ...options.limits };
    this.sandbox = options.sandbox ?? true;
  }

  /** Rejects with a `BrowserActionError` when Chromium does not start, or with the signal's reason. */
  async open({ signal }: { readonly signal?: AbortSignal } = {}): Promise<BrowserSession> {
    signal?.throwIfAborted();
    if (this.closed) throw browserGone();
    const launch = this.launch();
    this.launches.add(launch);
    launch.catch(() => undefined).finally(() => this.launches.delete(launch));
    try {
      return await untilAborted(launch, signal);
    } catch (error) {
      // No session would close it.
      launch.then((session) => session.close()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Prints a page in a browser of its own that runs no script and makes no request. Rejects with a `BrowserActionError`
   * when it cannot, or not in time, or with the signal's reason.
   */
  async print(page: PrintedPage, { signal, timeoutMs }: PrintOptions): Promise<Buffer> {
    signal?.throwIfAborted();
    if (this.closed) throw browserGone();
    const ending = new AbortController();
    this.prints.add(ending);
    const limit = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([ending.signal, limit, ...(signal ? [signal] : [])]);
    let browser: Promise<LaunchedChromium> | undefined;
    try {
      browser = this.launchStill();
      return await printPage(await untilAborted(browser, ended), page, ended);
    } catch (error) {
      if (limit.aborted) throw printTimedOut();
      if (ending.signal.aborted) throw browserGone();
      signal?.throwIfAborted();
      throw toActionError(error);
    } finally {
      this.prints.delete(ending);
      // Hanging or not, it ends with what it was started for.
      await browser?.then(
        ({ context, folder }) =>
          within(this.limits.closeTimeoutMs, context.close()).then(() => removeBrowser(folder)),
        () => undefined,
      );
    }
  }

  /** Removes what services that were killed have left behind. */
  async sweep(): Promise<void> {
    await removeAbandoned(this.options.temporaryFolder ?? tmpdir());
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const print of this.prints) print.abort();
    await Promise.allSettled(this.launches);
    await Promise.all([...this.sessions].map((session) => session.close()));
  }

  private async launch(): Promise<ChromiumSession> {
    const { egress: rules } = this.options;
    const proxy = await ForwardProxy.listen({ rules });
    try {
      const browser = await this.launchChromium(proxy);
      const session: ChromiumSession = new ChromiumSession({
        browser,
        proxy,
        rules,
        limits: this.limits,
        onClosed: () => this.sessions.delete(session),
      });
      this.sessions.add(session);
      return session;
    } catch (error) {
      await proxy.close();
      this.options.onFailedStart?.(error);
      throw new BrowserActionError('gone', this.sandbox && !this.identity ? cannotStart : couldNotStart, {
        cause: error,
      });
    }
  }

  /** With a proxy that nobody answers at any more. */
  private async launchStill(): Promise<LaunchedChromium> {
    const proxy = await ForwardProxy.listen({ rules: this.options.egress });
    try {
      return await this.launchChromium(proxy, { still: true });
    } catch (error) {
      this.options.onFailedStart?.(error);
      throw new BrowserActionError('gone', this.sandbox && !this.identity ? cannotStart : couldNotStart, {
        cause: error,
      });
    } finally {
      await proxy.close();
    }
  }

  private async launchChromium(
    proxy: ForwardProxy,
    { still = false }: { still?: boolean } = {},
  ): Promise<LaunchedChromium> {
    const {
      executablePath,
      temporaryFolder = tmpdir(),
      path = '/usr/local/bin:/usr/bin:/bin',
    } = this.options;
    const options = {
      executablePath,
      temporaryFolder,
      path,
      proxy,
      limits: this.limits,
      sandbox: this.sandbox,
      still,
    };
    // What has worked here works; another failure has another cause, and is no reason for a lesser identity.
    if (this.identity) return launchChromium({ ...options, identity: this.identity });
    const failures: Error[] = [];
    for (const identity of identitiesFor(thisSystem(), this.sandbox)) {
      try {
        const launched = await launchChromium({ ...options, identity });
        this.identity ??= identity;
        return launched;
      } catch (error) {
        failures.push(new Error(`Chromium did not start (${identity})`, { cause: error }));
      }
    }
    throw new AggregateError(failures, failures.map(({ cause }) => shortReason(cause)).join('; '));
  }
}

/** What Chromium said last: Playwright adds the whole command line. */
function shortReason(error: unknown): string {
  const lines = String(error).split('\n');
  const said = lines.findLast((line) => /\[err\]/.test(line)) ?? lines[0] ?? '';
  return said.replace(/^.*\[err\]\s*/, '').slice(0, 300);
}

import { tmpdir } from 'node:os';
import { removeAbandoned } from './abandoned-folders.js';
import { browserGone, BrowserActionError } from './action-error.js';
import { ForwardProxy } from './forward-proxy.js';
import type { EgressRules } from './guarded-connect.js';
import { launchChromium, type LaunchedChromium } from './launch.js';
import { defaultLimits, type BrowserLimits } from './limits.js';
import { ChromiumSession, type BrowserSession } from './session.js';
import { untilAborted } from './waiting.js';

export interface BrowserLauncherOptions {
  /** See `findChromium`. */
  readonly executablePath: string;
  readonly egress: EgressRules;
  readonly limits?: Partial<BrowserLimits>;
  readonly temporaryFolder?: string;
  readonly path?: string;
}

/** Starts browsers, each a process of its own with a profile of its own, and ends them. */
export class BrowserLauncher {
  private readonly limits: BrowserLimits;
  private readonly sessions = new Set<ChromiumSession>();
  private readonly launches = new Set<Promise<ChromiumSession>>();
  // Chromium refuses to build its sandbox for root.
  private sandbox = process.getuid?.() !== 0;
  private closed = false;

  constructor(private readonly options: BrowserLauncherOptions) {
    this.limits = { ...defaultLimits, ...options.limits };
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
      // Nobody would close it.
      launch.then((session) => session.close()).catch(() => undefined);
      throw error;
    }
  }

  /** Removes what services that were killed have left behind. */
  async sweep(): Promise<void> {
    await removeAbandoned(this.options.temporaryFolder ?? tmpdir());
  }

  async close(): Promise<void> {
    this.closed = true;
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
      throw new BrowserActionError('gone', 'The browser could not be started.', { cause: error });
    }
  }

  private async launchChromium(proxy: ForwardProxy): Promise<LaunchedChromium> {
    const {
      executablePath,
      temporaryFolder = tmpdir(),
      path = '/usr/local/bin:/usr/bin:/bin',
    } = this.options;
    const options = { executablePath, temporaryFolder, path, proxy, limits: this.limits };
    if (!this.sandbox) return launchChromium({ ...options, sandbox: false });
    try {
      return await launchChromium({ ...options, sandbox: true });
    } catch {
      // Many containers do not let a process make the namespaces that the sandbox needs.
      const launched = await launchChromium({ ...options, sandbox: false });
      this.sandbox = false;
      return launched;
    }
  }
}

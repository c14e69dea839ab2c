import { TransientToolError } from '@aos/agent-runtime';
import { BackgroundLoops, FairLimiter } from '@aos/background';
import { BrowserLauncher, type BrowserSession, findChromium } from '@aos/browser';
import { runStopped } from '@aos/contracts';
import { parseAllowedRanges } from '@aos/egress';
import { Broadcasts } from '@aos/messaging';
import { newId } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { type FactoryProvider, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { WorkingRun } from '../../files/run-files.js';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { BrowserRepository } from './browser.repository.js';

/** Injection token of the BrowserLauncher; undefined where no Chromium is installed. */
export const Launcher = Symbol('Launcher');

export const launcherProvider: FactoryProvider = {
  provide: Launcher,
  inject: [RunsSettings, Logger],
  useFactory: createLauncher,
};

async function createLauncher(config: RunsConfig, logger: Logger): Promise<BrowserLauncher | undefined> {
  const { CHROMIUM_PATH: configured, PATH: path } = config;
  const executablePath = await findChromium({ configured, path });
  if (executablePath === undefined) return undefined;
  const allowed = parseAllowedRanges(config.EGRESS_ALLOW_CIDRS);
  const sandbox = config.BROWSER_SANDBOX === 'on';
  if (!sandbox) logger.warn('BROWSER_SANDBOX is off: a page that breaks out of Chromium has the machine');
  return new BrowserLauncher({
    ...{ executablePath, egress: { allowed }, path, sandbox },
    onFailedStart: (err) => logger.warn({ err }, 'starting the browser of a run failed'),
  });
}

/** How long the browser of a run that waits stays open in this process. */
const idleForMs = 600_000;

const sweepEveryMs = 3600_000;

/** A run's browser. Another process that takes the run over begins with a new one. */
export interface OpenBrowser {
  readonly sessionId: string;
  readonly session: BrowserSession;
}

interface RunBrowser extends OpenBrowser {
  readonly teamId: string;
  /** Set while the run is not in this process's hands. */
  idle?: NodeJS.Timeout;
}

/** The browsers of the runs that this process works on: one for each run, with a profile of its own. */
@Injectable()
export class Browsers implements OnApplicationBootstrap {
  private readonly open = new Map<string, RunBrowser>();
  private readonly opening = new Map<string, Promise<RunBrowser>>();
  private readonly limiter: FairLimiter;

  constructor(
    @Inject(Launcher) private readonly launcher: BrowserLauncher | undefined,
    private readonly repository: BrowserRepository,
    @Inject(RunsSettings) settings: RunsConfig,
    private readonly broadcasts: Broadcasts,
    private readonly logger: Logger,
    shutdown: Shutdown,
    loops: BackgroundLoops,
  ) {
    this.limiter = new FairLimiter({ maxConcurrent: settings.BROWSER_MAX_SESSIONS });
    loops.add({
      name: 'the sweep of abandoned browsers',
      idleMs: sweepEveryMs,
      work: async () => {
        await launcher?.sweep();
        return false;
      },
    });
    shutdown.add('close', 'browsers', async () => {
      for (const { idle } of this.open.values()) clearTimeout(idle);
      await this.launcher?.close();
    });
  }

  /** A run that is stopped while it waits has no worker that would close its browser. */
  onApplicationBootstrap(): void {
    this.broadcasts.listen(runStopped, ({ run_id: runId }) => {
      if (this.open.get(runId)?.idle !== undefined) this.close(runId);
    });
  }

  get available(): boolean {
    return this.launcher !== undefined;
  }

  /** The browser that the run has open. */
  find(runId: string): OpenBrowser | undefined {
    const browser = this.open.get(runId);
    if (browser?.session.closed) this.forget(runId);
    return browser?.session.closed ? undefined : browser;
  }

  /** The browser of the run, opened if it has none. */
  async of(run: WorkingRun): Promise<OpenBrowser> {
    const { runId } = run;
    const browser = this.find(runId);
    if (browser) return browser;
    const opening = this.opening.get(runId) ?? this.start(run);
    this.opening.set(runId, opening);
    try {
      return await opening;
    } finally {
      this.opening.delete(runId);
    }
  }

  /** The run has left the worker: for a while if it only waits, else for good. */
  leave(runId: string, { waits }: { waits: boolean }): void {
    const browser = this.open.get(runId);
    if (!browser) return;
    if (!waits) return this.close(runId);
    clearTimeout(browser.idle);
    browser.idle = setTimeout(() => this.close(runId), idleForMs).unref();
  }

  /** The run is in the hands of a worker again. */
  enter(runId: string): void {
    const browser = this.open.get(runId);
    clearTimeout(browser?.idle);
    if (browser) browser.idle = undefined;
  }

  private async start({ runId, teamId, signal }: WorkingRun): Promise<RunBrowser> {
    const { launcher } = this;
    if (!launcher) throw new Error('There is no Chromium on this machine');
    this.acquire(teamId);
    let browser: RunBrowser | undefined;
    try {
      browser = { sessionId: newId(), session: await launcher.open({ signal }), teamId };
      await this.repository.insertSession({ id: browser.sessionId, run_id: runId, team_id: teamId });
      // The run may have left meanwhile, and no worker would close what it leaves open now.
      signal.throwIfAborted();
    } catch (error) {
      this.limiter.release(teamId);
      await browser?.session.close();
      throw error;
    }
    this.open.set(runId, browser);
    return browser;
  }

  /** Acquires capacity, for which browsers of waiting runs are closed. */
  private acquire(teamId: string): void {
    while (!this.limiter.tryAcquire(teamId)) {
      const idle = [...this.open].find(([, browser]) => browser.idle !== undefined);
      if (!idle)
        throw new TransientToolError('All browsers of this worker that the team may use are in use.');
      this.close(idle[0]);
    }
  }

  private close(runId: string): void {
    const browser = this.forget(runId);
    if (!browser) return;
    Promise.all([browser.session.close(), this.repository.closePages(browser.sessionId)]).catch(
      (error: unknown) => {
        this.logger.warn({ err: error, run_id: runId }, 'closing the browser of a run failed');
      },
    );
  }

  private forget(runId: string): RunBrowser | undefined {
    const browser = this.open.get(runId);
    if (!browser) return undefined;
    clearTimeout(browser.idle);
    this.open.delete(runId);
    this.limiter.release(browser.teamId);
    return browser;
  }
}

import { access, chown, constants, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { killProcessesOf } from './chromium-processes.js';
import type { ForwardProxy } from '../guard/forward-proxy.js';
import { type BrowserIdentity, identityProgram, identityVariables, newBrowserId } from './identity.js';
import type { BrowserLimits } from '../limits.js';

export interface LaunchOptions {
  readonly executablePath: string;
  readonly proxy: ForwardProxy;
  readonly limits: BrowserLimits;
  /** Chromium's own walls between a page and the machine. */
  readonly sandbox: boolean;
  readonly identity: BrowserIdentity;
  /** Where the folder of the session is made. */
  readonly temporaryFolder: string;
  /** A page is only looked at: it runs no script, and the browser makes no request. */
  readonly still?: boolean;
  /** `PATH` for the scripts in which distributions wrap Chromium. */
  readonly path: string;
}

export interface LaunchedChromium {
  readonly context: BrowserContext;
  /** To ask Chromium itself what Playwright does not tell. */
  readonly control: CDPSession;
  /** Profile, downloads and temporary files: all that the browser writes. */
  readonly folder: string;
  /** Its real path. */
  readonly downloadsFolder: string;
  /** The user to whom belongs what the browser writes. */
  readonly ownerId: number;
}

/** How the folder of a session begins. */
export const folderPrefix = 'aos-browser-';

/** On top of what Playwright gives; some it gives too, but they are part of the guard and not left to it. */
const guardFlags: readonly string[] = [
  // An error page that is loaded again by itself asks for what no action has asked for, and fails the next one.
  '--disable-auto-reload',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  // Both spellings: releases differ in which they know.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // What does not go through the proxy finds no host, addresses included.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/** Starts a Chromium with an empty profile whose only way out is the proxy. Leaves nothing behind when it fails. */
export async function launchChromium(options: LaunchOptions): Promise<LaunchedChromium> {
  // Loaded here: a service without Chromium need not have these megabytes in memory.
  const { chromium } = await import('playwright-core');
  const { proxy, limits, identity } = options;
  const id = newBrowserId();
  const folder = await realpath(await mkdtemp(join(options.temporaryFolder, folderPrefix)));
  const [profile, downloadsFolder, temporary] = ['profile', 'downloads', 'temporary'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  try {
    const folders = [profile, downloadsFolder, temporary];
    await Promise.all(folders.map((one) => mkdir(one)));
    if (identity === 'other-user') await giveTo(id, [folder, ...folders]);
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: identityProgram,
      args: [...guardFlags],
      headless: true,
      chromiumSandbox: options.sandbox,
      // Not that of the service, which holds its secrets.
      env: {
        ...{ PATH: options.path, HOME: folder, TMPDIR: temporary },
        ...identityVariables(identity, id, options.executablePath),
      },
      // `<-loopback>` takes back that Chromium reaches loopback and link-local addresses directly.
      proxy: {
        server: `http://127.0.0.1:${proxy.port}`,
        bypass: '<-loopback>',
        username: proxy.username,
        password: proxy.password,
      },
      timeout: limits.launchTimeoutMs,
      viewport: limits.viewport,
      deviceScaleFactor: 1,
      acceptDownloads: true,
      downloadsPath: downloadsFolder,
      artifactsDir: temporary,
      // An empty list denies all of them.
      permissions: [],
      serviceWorkers: 'block',
      javaScriptEnabled: !options.still,
      offline: options.still === true,
      // The service closes its sessions when it is told to end.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const control = await context.browser()?.newBrowserCDPSession();
    if (!control) throw new Error('Playwright gives no browser for the context');
    const ownerId = identity === 'other-user' ? id : (process.getuid?.() ?? 0);
    return { context, control, folder, downloadsFolder, ownerId };
  } catch (error) {
    await removeBrowser(folder);
    throw error;
  }
}

/** Folders that the other user may write to, and we too: what is downloaded is read by us. */
async function giveTo(id: number, folders: readonly string[]): Promise<void> {
  await Promise.all(folders.map((folder) => chown(folder, id, id)));
  await Promise.all(
    folders.map((folder) => access(folder, constants.R_OK | constants.W_OK | constants.X_OK)),
  );
}

/** Ends what still runs of a browser, and removes all it has written. */
export async function removeBrowser(folder: string): Promise<void> {
  await killProcessesOf(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

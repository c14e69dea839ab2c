import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { findChromium, identityProgram, identityVariables } from '@aos/browser';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = await findChromium({ path: process.env['PATH'] ?? '' });

/**
 * This machine by another name. A browser trusts the names of the machine itself as it does TLS; pages of any other host
 * that come without have less at hand.
 */
export const hostWithoutTls = 'console.test';

/** For `describeWhere`. */
export const chromiumNeeded = { isThere: executablePath !== undefined, missing: 'no Chromium on the PATH' };

export interface PageLook {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

/** A real browser with the console in it. What a page complains about, its policy included, is kept. */
export class ConsoleBrowser {
  readonly problems: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<ConsoleBrowser> {
    const browser = await chromium.launch({
      // As the product starts it: without the pages of the address bar, which cost each context a second of CPU.
      executablePath: identityProgram,
      env: { ...process.env, ...identityVariables('same-user', 0, executablePath!) },
      // The pages are our own, and a test may run as root.
      chromiumSandbox: false,
      args: ['--disable-dev-shm-usage', '--host-resolver-rules=MAP *.test 127.0.0.1'],
    });
    return new ConsoleBrowser(browser);
  }

  /** A page in a session of its own. */
  async page({ colorScheme = 'light', width = 1280, height = 860 }: PageLook = {}): Promise<Page> {
    // Certificates of tests are vouched for by nobody.
    const ignoreHTTPSErrors = true;
    const context = await this.browser.newContext({
      colorScheme,
      viewport: { width, height },
      ignoreHTTPSErrors,
    });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // That the service refused something is told by the page itself.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      this.problems.push(`console: ${message.text()}`);
    });
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

/** Signs in by the one field, unless another tab has done so, and stays where the address leads. */
export async function signInByKey(
  page: Page,
  baseUrl: string,
  key: string,
  path = '/console',
): Promise<void> {
  await page.goto(baseUrl + path);
  const [field, navigation] = [page.getByLabel('API key'), page.getByRole('navigation')];
  await field.or(navigation).first().waitFor();
  if (!(await field.isVisible())) return;
  await field.fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await navigation.waitFor();
}

/**
 * Tells a page whether its tab is in front. A browser without a window shows all of them, so that it is said in its place;
 * what the page then does is its own.
 */
export async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(`(() => {
    const state = '${isVisible ? 'visible' : 'hidden'}';
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => state === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  })()`);
}

/** What axe-core finds on the page as it is now. */
export async function axeViolations(page: Page): Promise<Violation[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // By the protocol of the browser, for the policy of the page lets nothing else in.
  await page.evaluate(source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))`);
}

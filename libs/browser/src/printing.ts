import { BrowserActionError } from './session/action-error.js';
import type { LaunchedChromium } from './chromium/launch.js';
import { untilAborted } from './session/waiting.js';

/** A page to be printed: the document, and the policy that it is held to. */
export interface PrintedPage {
  readonly html: string;
  /** As Content-Security-Policy. */
  readonly policy: string;
}

/** Nothing answers there: the page is given to the browser, not fetched. */
const address = 'https://page.invalid/';

/**
 * Prints a page as A4 in a browser of its own, which was started without JavaScript and without network: all but the page
 * itself is refused before it is asked for.
 */
export async function printPage(
  { context }: LaunchedChromium,
  { html, policy }: PrintedPage,
  signal: AbortSignal,
): Promise<Buffer> {
  const document = {
    body: html,
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' },
  };
  const page = await untilAborted(context.newPage(), signal);
  await page.route('**/*', (route) => {
    const request = route.request();
    if (request.url() === address) return route.fulfill(document);
    // A page that leads elsewhere (a refresh needs no script) stays: a refusal would leave an error page to be printed.
    return request.isNavigationRequest() ? route.fulfill({ status: 204 }) : route.abort();
  });
  await untilAborted(page.goto(address, { waitUntil: 'load' }), signal);
  return untilAborted(page.pdf({ format: 'A4', printBackground: true, margin: margins }), signal);
}

const margins = { top: '12mm', right: '12mm', bottom: '12mm', left: '12mm' };

/** It is neither the fault of the page nor of the browser. */
export function printTimedOut(): BrowserActionError {
  return new BrowserActionError('timeout', 'The page was not printed in time.');
}

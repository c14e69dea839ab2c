import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Frame, Request } from 'playwright-core';
import type { MissedConnection } from '../guard/forward-proxy.js';

const maxRemembered = 200;
/** Longer addresses do not fit into the head of a request: neither does the proxy miss them nor are they downloads. */
const maxAddressLength = 65_536;
const pollMs = 50;
/** How long a page that turned out to be a file may take to be told of as a download; there may be none in the end. */
const handOverMs = 3_000;

/** What whole pages (not their parts) ask for during an action, and which connections were not made. */
export class Navigations {
  private readonly inFlight = new Set<Request>();
  /** Addresses of pages that turned out to be files: Chromium gives the page up, and tells of the download later. */
  private readonly handedOver = new Set<string>();
  private asked = new Set<string>();
  private failedOrigins = new Set<string>();
  private missed = new Map<string, MissedConnection>();

  constructor(context: Pick<BrowserContext, 'on'>) {
    context.on('request', (request) => this.begin(request));
    context.on('requestfinished', (request) => this.inFlight.delete(request));
    context.on('requestfailed', (request) => this.fail(request));
    context.on('download', (download) => this.handedOver.delete(download.url()));
    context.on('framenavigated', (frame) => this.forget((candidate) => candidate === frame));
    // Of a page that is gone nothing finishes.
    context.on('pageclose', (page) => this.forget((candidate) => candidate?.page() === page));
  }

  /** An action begins: what was before is not its doing. */
  reset(): void {
    this.handedOver.clear();
    this.asked = new Set();
    this.failedOrigins = new Set();
    this.missed = new Map();
  }

  remember(missed: MissedConnection): void {
    const [oldest] = this.missed.keys();
    if (this.missed.size >= maxRemembered && oldest !== undefined) this.missed.delete(oldest);
    this.missed.set(missed.url, missed);
  }

  /** Why a page itself did not come, if the proxy knows. */
  missedNavigation(): MissedConnection | undefined {
    return [...this.missed.values()].find(
      ({ url }) => this.asked.has(url) || this.failedOrigins.has(originOf(url)),
    );
  }

  /** Where the guard has refused to connect, by origin. */
  refused(): { origin: string; reason: string }[] {
    const refusals = [...this.missed.values()].filter(({ kind }) => kind === 'refused');
    const byOrigin = new Map(refusals.map(({ url, reason }) => [originOf(url), reason]));
    return [...byOrigin].map(([origin, reason]) => ({ origin, reason }));
  }

  /** Waits until the pages that were asked for have come, failed or become downloads, no longer than given. */
  async settled(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    await whileAny(this.inFlight, timeoutMs, signal);
    await whileAny(this.handedOver, Math.min(timeoutMs, handOverMs), signal);
  }

  private begin(request: Request): void {
    if (!request.isNavigationRequest()) return;
    if (frameOf(request)?.parentFrame()) return;
    this.inFlight.add(request);
    rememberAddress(this.asked, request.url().replace(/#.*$/s, ''));
  }

  private fail(request: Request): void {
    if (!this.inFlight.delete(request)) return;
    rememberAddress(this.failedOrigins, originOf(request.url()));
    if (becomesDownload(request)) rememberAddress(this.handedOver, request.url());
  }

  private forget(matches: (frame: Frame | undefined) => boolean): void {
    for (const request of this.inFlight) if (matches(frameOf(request))) this.inFlight.delete(request);
  }
}

/** The latest stay: what a page does after an action is seen at its end. */
function rememberAddress(addresses: Set<string>, address: string): void {
  if (address.length > maxAddressLength) return;
  addresses.delete(address);
  addresses.add(address);
  const [oldest] = addresses;
  if (addresses.size > maxRemembered && oldest !== undefined) addresses.delete(oldest);
}

/** Given up with an answer that has a content: there is nothing else that Chromium does with one. */
function becomesDownload(request: Request): boolean {
  const status = request.existingResponse()?.status();
  const hasContent = status !== undefined && status !== 204 && status !== 205;
  return hasContent && request.failure()?.errorText === 'net::ERR_ABORTED';
}

async function whileAny(
  waitedFor: ReadonlySet<unknown>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let waitedMs = 0; waitedFor.size > 0 && waitedMs < timeoutMs; waitedMs += pollMs) {
    await delay(pollMs, undefined, { signal });
  }
}

/** Playwright throws for a page that is only just being made. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Frame, Request } from 'playwright-core';
import type { MissedConnection } from './forward-proxy.js';

const maxRemembered = 200;
const pollMs = 50;

/** What whole pages (not their parts) ask for during an action, and which connections were not made. */
export class Navigations {
  private readonly inFlight = new Set<Request>();
  private asked = new Set<string>();
  private failedOrigins = new Set<string>();
  private missed = new Map<string, MissedConnection>();

  constructor(context: BrowserContext) {
    context.on('request', (request) => this.begin(request));
    context.on('requestfinished', (request) => this.inFlight.delete(request));
    context.on('requestfailed', (request) => this.fail(request));
    context.on('framenavigated', (frame) => this.forget((candidate) => candidate === frame));
    // Of a page that is gone nothing finishes.
    context.on('pageclose', (page) => this.forget((candidate) => candidate?.page() === page));
  }

  /** An action begins: what was before is not its doing. */
  reset(): void {
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

  /** Waits until the pages that were asked for have come or failed, no longer than given. */
  async settled(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    for (let waitedMs = 0; this.inFlight.size > 0 && waitedMs < timeoutMs; waitedMs += pollMs) {
      await delay(pollMs, undefined, { signal });
    }
  }

  private begin(request: Request): void {
    if (!request.isNavigationRequest()) return;
    if (frameOf(request)?.parentFrame()) return;
    this.inFlight.add(request);
    this.asked.add(request.url().replace(/#.*$/s, ''));
  }

  private fail(request: Request): void {
    if (this.inFlight.delete(request)) this.failedOrigins.add(originOf(request.url()));
  }

  private forget(matches: (frame: Frame | undefined) => boolean): void {
    for (const request of this.inFlight) if (matches(frameOf(request))) this.inFlight.delete(request);
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

import { setTimeout as pause } from 'node:timers/promises';
import { AppError, hasEnded, type RunProgress } from '@aos/contracts';
import { isStoreUnavailable } from '@aos/persistence';
import { unlessAborted } from './abort.js';
import type { EventPage, RunEvent } from './event-frames.js';
import type { RunProgressFeed } from './run-progress-feed.js';

export interface PagesToFollow {
  readonly runId: string;
  readonly first: EventPage;
  /** The number after which the first page begins. */
  readonly after: number;
  /** The page after a number; none if the client may not read on. */
  readonly read: (after: number) => Promise<EventPage | undefined>;
  readonly feed: RunProgressFeed;
  readonly signal: AbortSignal;
}

const lookAgainMs = 5_000;
const firstRetryMs = 250;
const maxRetryMs = 2_000;

/**
 * The events of a run, page by page, until it has ended. A page is read only when the one before has been taken; after
 * one with the latest events a notification is awaited, for a while, since it may be lost.
 */
export async function* followPages(options: PagesToFollow): AsyncGenerator<readonly RunEvent[], void, void> {
  const { runId, read, feed, signal } = options;
  let page: EventPage | undefined = options.first;
  let last = options.after;
  let seen: RunProgress | undefined;
  while (page) {
    if (page.events.length > 0) yield page.events;
    if (page.ended || signal.aborted) return;
    last = page.events.at(-1)?.seq ?? last;
    if (page.complete) {
      // A notification that a page has proved wrong is not listened to again.
      const wanted = (progress: RunProgress) =>
        progress !== seen && (progress.seq > last || hasEnded(progress.status));
      seen = (await feed.next(runId, { wanted, timeoutMs: lookAgainMs, signal })) ?? seen;
    }
    page = await untilAvailable(() => read(last), signal);
  }
}

async function untilAvailable<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
    try {
      return await unlessAborted(read(), signal);
    } catch (error) {
      if (!isAway(error)) throw error;
    }
    await pause(retryMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

function isAway(error: unknown): boolean {
  return error instanceof AppError ? error.code === 'unavailable' : isStoreUnavailable(error);
}

import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@aos/contracts';
import { isPassing } from '@aos/persistence';
import { unlessAborted } from './abort.js';
import type { NumberedEvent } from './event-frames.js';

export interface EventPage {
  readonly events: readonly NumberedEvent[];
  /** Whether there were no further events when these were read. */
  readonly complete: boolean;
  /** Whether there will never be any. */
  readonly ended: boolean;
}

export interface PagesToFollow {
  readonly first: EventPage;
  /** The number after which there was nothing, if the first page has no events. */
  readonly after: number;
  /** The page after a number, unless it is known already; none if the client may not read on. */
  readonly read: (after: number, known?: EventPage) => Promise<EventPage | undefined>;
  /**
   * Waits until there may be something after the number; not for ever, since a notification may be lost. Gives the page
   * after it if the notification brought that.
   */
  readonly untilMore: (after: number, signal: AbortSignal) => Promise<EventPage | undefined>;
  readonly signal: AbortSignal;
}

/**
 * The number behind which a stream begins, to resume at from its first moment. Where a feed begins from now on, its owner
 * tells where that was only if nothing has come since.
 */
export function startOfStream({ first, after }: Pick<PagesToFollow, 'first' | 'after'>): number {
  const [earliest] = first.events;
  return earliest ? earliest.seq - 1 : after;
}

/** How long a stream waits for a notification before it looks by itself. */
export const lookAgainMs = 5_000;
const firstRetryMs = 250;
const maxRetryMs = 2_000;

/** Events, page by page, until there will be no more. A page is read only when the one before has been taken. */
export async function* followPages(
  options: PagesToFollow,
): AsyncGenerator<readonly NumberedEvent[], void, void> {
  const { read, untilMore, signal } = options;
  let page: EventPage | undefined = options.first;
  let last = options.after;
  while (page) {
    if (page.events.length > 0) yield page.events;
    if (page.ended || signal.aborted) return;
    last = page.events.at(-1)?.seq ?? last;
    const known: EventPage | undefined = page.complete ? await untilMore(last, signal) : undefined;
    page = await untilAvailable(() => read(last, known), signal);
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
  return error instanceof AppError ? error.code === 'unavailable' : isPassing(error);
}

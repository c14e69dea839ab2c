import { hasEnded, type RunProgress } from '@aos/contracts';
import { lookAgainMs, type EventPage, type PagesToFollow } from '../follow-pages.js';
import type { RunProgressFeed } from './run-progress-feed.js';

/** Waits until a run has got on behind a number, or has ended. */
export function untilProgress(feed: RunProgressFeed, runId: string): PagesToFollow['untilMore'] {
  let seen: RunProgress | undefined;
  return async (last, signal) => {
    // A notification that a page has proved wrong is not listened to again.
    const wanted = (progress: RunProgress) =>
      progress !== seen && (progress.seq > last || hasEnded(progress.status));
    const progress = await feed.next(runId, { wanted, timeoutMs: lookAgainMs, signal });
    seen = progress ?? seen;
    return progress && lastPage(progress, last);
  };
}

/** The last page of a run's events, if its end was told with all that come after the number. */
function lastPage({ status, seq, events = [] }: RunProgress, last: number): EventPage | undefined {
  const [first] = events;
  const isWhole = first !== undefined && first.seq <= last + 1 && events.at(-1)!.seq === seq;
  // An end that is behind what was read may be that of a run which was reopened since: its owner knows.
  if (!hasEnded(status) || !isWhole || seq <= last) return undefined;
  return { events: events.filter((event) => event.seq > last), complete: true, ended: true };
}

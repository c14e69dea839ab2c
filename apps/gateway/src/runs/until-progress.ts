import { hasEnded, type RunProgress } from '@aos/contracts';
import { lookAgainMs, type PagesToFollow } from '../streams/follow-pages.js';
import type { RunProgressFeed } from './run-progress-feed.js';

/** Waits until a run has got on behind a number, or has ended. */
export function untilProgress(feed: RunProgressFeed, runId: string): PagesToFollow['untilMore'] {
  let seen: RunProgress | undefined;
  return async (last, signal) => {
    // A notification that a page has proved wrong is not listened to again.
    const wanted = (progress: RunProgress) =>
      progress !== seen && (progress.seq > last || hasEnded(progress.status));
    seen = (await feed.next(runId, { wanted, timeoutMs: lookAgainMs, signal })) ?? seen;
  };
}

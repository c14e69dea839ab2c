import type { EventName } from '@aos/client';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useClient, useMay } from '../../session/session-context';
import { tellIfUnauthorized } from '../../session/unauthorized';
import { connecting, LiveContext } from './live-context';
import { Refreshes } from './refreshes';
import { staleKeys } from './stale-keys';
import { useVisible } from './use-visible';

/** Named, for events beyond the specification's own are only sent to those who name them. */
const types: readonly EventName[] = [
  'run.started',
  'run.paused',
  'run.completed',
  'run.failed',
  'human_request.created',
  'human_request.responded',
  'queue.case.created',
  'queue.case.claimed',
  'queue.case.completed',
  'assignment.build.published',
  'connection.updated',
  'connection.action_required',
  'budget.warning',
  'budget.reached',
];

/** How often a page is asked for anew where no event tells of what has changed. */
export const pollSeconds = 15;

/**
 * Keeps what the pages show true: one stream of the team's events for the whole console, while it is seen. A browser has
 * six connections to a host for all its tabs together (HTTP/1.1), and tabs in the background would soon hold them all.
 * A credential that may not follow the events is answered by the clock instead.
 */
export function LiveFeed({ children }: { children: ReactNode }) {
  const client = useClient();
  const mayFollow = useMay()('webhooks:manage');
  const queries = useQueryClient();
  const isVisible = useVisible();
  const [live, setLive] = useState(connecting);

  useEffect(() => {
    if (!isVisible) return undefined;
    if (!mayFollow) {
      setLive({ state: 'polling' });
      void queries.invalidateQueries();
      const timer = window.setInterval(() => void queries.invalidateQueries(), pollSeconds * 1_000);
      return () => window.clearInterval(timer);
    }
    const stop = new AbortController();
    const refreshes = new Refreshes((queryKey) => queries.invalidateQueries({ queryKey }));
    let wasOpen = false;
    const onConnection = (connection: 'open' | 'lost') => {
      if (connection === 'open') {
        // Invalidates queries that began before the stream. A broken stream resumes, so only unanswered queries are
        // invalidated then.
        if (wasOpen) void queries.refetchQueries({ type: 'active', predicate: hasFailed });
        else void queries.cancelQueries().then(() => queries.invalidateQueries());
        wasOpen = true;
      }
      setLive({ state: connection === 'open' ? 'live' : 'away' });
    };
    const follow = async () => {
      for await (const event of client.follow.team({ types }, { signal: stop.signal, onConnection })) {
        refreshes.add(staleKeys(event));
      }
    };
    follow().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      tellIfUnauthorized(error);
      setLive({ state: 'refused', refusal: error });
    });
    return () => {
      stop.abort();
      refreshes.stop();
      setLive(connecting);
    };
  }, [client, queries, mayFollow, isVisible]);

  return <LiveContext value={live}>{children}</LiveContext>;
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error';
}

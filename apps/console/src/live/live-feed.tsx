import { ApiError, type EventName } from '@aos/client';
import { useQueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useClient, useSession } from '../session/session-context';
import { connecting, LiveContext } from './live-context';
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

/** Many events in a moment ask for a list once. */
const gatherMs = 250;

/**
 * Keeps what the pages show true: one stream of the team's events for the whole console, while it is seen. A browser has
 * six connections to a host for all its tabs together (HTTP/1.1), and tabs in the background would soon hold them all.
 */
export function LiveFeed({ children }: { children: ReactNode }) {
  const client = useClient();
  const { signOut } = useSession();
  const queries = useQueryClient();
  const isVisible = useVisible();
  const [live, setLive] = useState(connecting);

  useEffect(() => {
    if (!isVisible) return undefined;
    const stop = new AbortController();
    const waiting = new Map<string, QueryKey>();
    let timer: number | undefined;
    let wasOpen = false;
    const refresh = () => {
      timer = undefined;
      for (const queryKey of waiting.values()) void queries.invalidateQueries({ queryKey });
      waiting.clear();
    };
    const onConnection = (connection: 'open' | 'lost') => {
      if (connection === 'open') {
        // What was asked for before the stream began may have become old until then. One that breaks goes on from where
        // it was: then only those questions are open that got no answer meanwhile.
        if (wasOpen) void queries.refetchQueries({ type: 'active', predicate: hasFailed });
        else void queries.invalidateQueries();
        wasOpen = true;
      }
      setLive({ state: connection === 'open' ? 'live' : 'away' });
    };
    const follow = async () => {
      for await (const event of client.follow.team({ types }, { signal: stop.signal, onConnection })) {
        for (const key of staleKeys(event)) waiting.set(JSON.stringify(key), key);
        timer ??= window.setTimeout(refresh, gatherMs);
      }
    };
    follow().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      if (error instanceof ApiError && error.status === 401) signOut();
      else setLive({ state: 'refused', refusal: error });
    });
    return () => {
      stop.abort();
      window.clearTimeout(timer);
      setLive(connecting);
    };
  }, [client, queries, signOut, isVisible]);

  return <LiveContext value={live}>{children}</LiveContext>;
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error';
}

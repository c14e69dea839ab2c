import { ApiError, type EventName } from '@aos/client';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useClient, useSession } from '../session/session-context';
import { LiveContext, type LiveState } from './live-context';
import { staleKeys } from './stale-keys';

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

/** Keeps what the pages show true: one stream of the team's events for the whole console. */
export function LiveFeed({ children }: { children: ReactNode }) {
  const client = useClient();
  const { signOut } = useSession();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');

  useEffect(() => {
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
        // A stream that ended before its first event goes on from now, not from where it was; so all is asked for again,
        // also where the gateway took its leave in an orderly way and another one answered at once.
        if (wasOpen) void queries.invalidateQueries();
        wasOpen = true;
      }
      setState(connection === 'open' ? 'live' : 'away');
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
      else setState('refused');
    });
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [client, queries, signOut]);

  return <LiveContext value={state}>{children}</LiveContext>;
}

import { ApiError, type Run, type RunMessage } from '@aos/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive } from '../data/live/live-context';
import { useVisible } from '../data/live/use-visible';
import { useClient, useMay } from '../session/session-context';

const messagePage = 50;
const gatherMs = 150;

export function useRun(runId: string) {
  const client = useClient();
  return useQuery({ queryKey: ['run', runId, 'head'], queryFn: () => client.getRun({ run_id: runId }) });
}

/** Messages are only ever added, so that only those behind the known ones are asked for. */
export function useRunMessages(runId: string) {
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = ['run', runId, 'messages'];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      let known = queries.getQueryData<readonly RunMessage[]>(queryKey) ?? [];
      for (;;) {
        const page = await client.listRunMessages(
          { run_id: runId, limit: messagePage, offset: known.length },
          { signal },
        );
        known = [...known, ...page.messages];
        if (known.length >= page.total || page.messages.length === 0) return known;
        queries.setQueryData(queryKey, known);
      }
    },
  });
}

export function useRunDetail({ run_id: runId, agent_id: agentId }: Run) {
  const client = useClient();
  return useQuery({
    queryKey: ['run', runId, 'detail'],
    queryFn: () => client.getAgentRun({ agentId, runId }),
  });
}

/** By the operator's prices; those who may not read what is used do not see what it costs. */
export function useRunCost(run: Run) {
  const client = useClient();
  const mayRead = useMay()('billing:read');
  const { data: detail } = useRunDetail(run);
  const model = detail?.build.config.data.models.agent.model ?? '';
  const { input_tokens, output_tokens } = run.usage;
  return useQuery({
    queryKey: ['cost', model, input_tokens, output_tokens],
    queryFn: () => client.estimateCost({ model, input_tokens, output_tokens }),
    enabled: mayRead && model !== '',
  });
}

export function useRunReport({ run_id: runId, agent_id: agentId }: Run) {
  const client = useClient();
  return useQuery({
    queryKey: ['run', runId, 'report'],
    queryFn: () => client.getWorkflowExecutionReport({ agentId, runId }),
  });
}

/** Keeps all that is shown of a run true while it is at work and seen: by its own events, and again when one reopens it. */
export function useFollowedRun(runId: string, status: Run['status'] | undefined): void {
  const client = useClient();
  const queries = useQueryClient();
  const { state } = useLive();
  const isVisible = useVisible();
  /** A tab that comes back goes on from where it was, and not from the first event of the run. */
  const seen = useRef<{ runId: string; cursor?: string }>({ runId });
  const isOver = status === undefined || ['completed', 'failed', 'stopped'].includes(status);
  useEffect(() => {
    if (isOver || !isVisible) return undefined;
    const stop = new AbortController();
    let timer: number | undefined;
    const refresh = () => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: ['run', runId] });
    };
    const follow = async () => {
      const after = seen.current.runId === runId ? seen.current.cursor : undefined;
      const input = { run_id: runId, ...(after === undefined ? {} : { after: Number(after) }) };
      for await (const { cursor } of client.follow.run(input, { signal: stop.signal })) {
        seen.current = { runId, cursor };
        timer ??= window.setTimeout(refresh, gatherMs);
      }
      if (!stop.signal.aborted) refresh();
    };
    // Refused: then it shows what was asked for, and the head says why.
    follow().catch((error: unknown) => {
      if (!(error instanceof ApiError) && !stop.signal.aborted) throw error;
    });
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [client, queries, runId, isOver, isVisible]);
  useEffect(() => {
    if (state === 'live') void queries.invalidateQueries({ queryKey: ['run', runId, 'head'] });
  }, [state, queries, runId]);
}

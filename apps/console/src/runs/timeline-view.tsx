import type { HumanRequest, Run } from '@aos/client';
import { memo, useCallback, useMemo } from 'react';
import { Failure, Loading } from '../ui/states';
import { useNow } from '../ui/time';
import { EntryView } from './entry-view';
import type { Span } from './fall';
import { joinTimeline } from './timeline';
import { useRunDetail, useRunMessages, useRunReport } from './use-run';

const none: readonly HumanRequest[] = [];

const MemoEntry = memo(EntryView);

/** All that a run said and did, in one list. */
export function Timeline({ run }: { run: Run }) {
  const messages = useRunMessages(run.run_id);
  const report = useRunReport(run);
  const detail = useRunDetail(run);
  const requests = detail.data?.human_requests ?? none;
  const entries = useMemo(
    () => joinTimeline(messages.data ?? [], report.data?.steps ?? [], requests),
    [messages.data, report.data, requests],
  );
  const span = useSpan(run);
  const nested = useCallback((child: Run) => <Timeline run={child} />, []);
  if (!messages.data) {
    if (messages.isError) return <Failure error={messages.error} retry={() => void messages.refetch()} />;
    return <Loading lines={5} />;
  }
  if (entries.length === 0) return <p className="empty">Nothing was said yet.</p>;
  return (
    <ol className="timeline" aria-label="Timeline">
      {entries.map((entry) => (
        <MemoEntry key={entry.id} entry={entry} run={run} span={span} nested={nested} />
      ))}
    </ol>
  );
}

function useSpan(run: Run): Span {
  const now = useNow();
  const from = Date.parse(run.started_at ?? run.created_at);
  const to = Math.max(from + 1, run.completed_at ? Date.parse(run.completed_at) : now);
  return useMemo(() => ({ from, to }), [from, to]);
}

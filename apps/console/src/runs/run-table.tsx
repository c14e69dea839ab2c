import type { Run } from '@aos/client';
import { Link } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { Empty, Failure, Loading } from '../ui/states';
import { count, counted } from '../ui/format';
import { RunTags } from '../ui/run-tags';
import { Status } from '../ui/status';
import { Ago, Lasting } from '../ui/time';
import { rowAfter, withRow } from './row-keys';
import type { RunSearch } from './run-search';
import { useRunRows } from './use-run-rows';

const rowHeight = 44;
const headerHeight = 36;
const columns = ['Run', 'Agent', 'Status', 'Started', 'Took', 'Tokens'] as const;

interface RunTableProps {
  readonly search: RunSearch;
  /** Absent for those who may not. */
  readonly onStart: (() => void) | undefined;
}

/** The row that has the focus, and the one that shall have it as soon as it is there. */
interface Focus {
  readonly row?: number;
  readonly wanted?: number;
}

/** A window over a list of any length. Arrows, Page up and down, Home and End lead from a run to others. */
export function RunTable({ search, onStart }: RunTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const [focus, setFocus] = useState<Focus>({});
  const kept = [focus.row, focus.wanted].filter((row) => row !== undefined);
  const { head, total, rowAt } = useRunRows(search, range.first, range.last, kept);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The header stays above the rows, and takes its height from the window.
    scrollPaddingEnd: headerHeight,
    rangeExtractor: useCallback(
      (seen: Range) => withRow(defaultRangeExtractor(seen), focus.row, seen.count),
      [focus.row],
    ),
    onChange: ({ range: seen }) => {
      if (seen && (seen.startIndex !== range.first || seen.endIndex !== range.last)) {
        setRange({ first: seen.startIndex, last: seen.endIndex });
      }
    },
  });
  const onFocus = useCallback((row: number) => setFocus({ row }), []);
  const onKey = (key: string): boolean => {
    const from = focus.wanted ?? focus.row;
    const next = from === undefined ? undefined : rowAfter(key, from, total, range.last - range.first - 1);
    if (next === undefined) return false;
    rows.scrollToIndex(next);
    setFocus({ ...focus, wanted: next });
    return true;
  };
  if (!head.data) {
    if (head.isError) return <Failure error={head.error} retry={() => void head.refetch()} />;
    return <Loading lines={6} />;
  }
  if (total === 0) return <NoRuns isFiltered={Object.keys(search).length > 0} onStart={onStart} />;
  return (
    <div className="stack tight">
      <div className="small quiet" aria-live="polite">
        {counted(total, 'run')}
      </div>
      <div className="card run-list" ref={scroller} tabIndex={0} role="region" aria-label="Runs">
        <div role="table" aria-label="Runs" aria-rowcount={total + 1}>
          <div role="rowgroup" className="run-head">
            <div role="row" aria-rowindex={1} className="run-row header">
              {columns.map((name) => (
                <span key={name} role="columnheader">
                  {name}
                </span>
              ))}
            </div>
          </div>
          <div
            role="rowgroup"
            className="run-rows"
            style={{ height: rows.getTotalSize() }}
            onKeyDown={(event) => onKey(event.key) && event.preventDefault()}
            onBlur={({ relatedTarget }) => relatedTarget && setFocus({})}
          >
            {rows.getVirtualItems().map(({ index, start }) => (
              <MemoRow
                key={index}
                index={index}
                top={start}
                run={rowAt(index)}
                takesFocus={index === focus.wanted}
                onFocus={onFocus}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

interface RunRowProps {
  readonly run: Run | undefined;
  readonly index: number;
  readonly top: number;
  readonly takesFocus: boolean;
  readonly onFocus: (index: number) => void;
}

function RunRow({ run, index, top, takesFocus, onFocus }: RunRowProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const isThere = run !== undefined;
  useEffect(() => {
    if (takesFocus && isThere) link.current?.focus({ preventScroll: true });
  }, [takesFocus, isThere]);
  const place = { transform: `translateY(${top}px)`, height: rowHeight };
  if (!run) {
    return (
      <div role="row" aria-rowindex={index + 2} className="run-row" style={place}>
        <span role="cell">
          <span className="skeleton" />
        </span>
      </div>
    );
  }
  const { run_id: runId, title, agent_name: agent, status, source, usage } = run;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="run-row"
      style={place}
      onFocus={() => onFocus(index)}
    >
      <span role="cell" className="cut">
        <Link ref={link} to="/runs/$runId" params={{ runId }} title={title} className="run-link">
          {title}
        </Link>
        {run.case_title && <span className="small quiet"> · case {run.case_title}</span>}
      </span>
      <span role="cell" className="cut quiet">
        {agent}
        {source !== 'api' && <span className="small"> · {source}</span>}
      </span>
      <span role="cell" className="row unwrapped">
        <Status of={status} />
        <RunTags run={run} />
      </span>
      <span role="cell" className="quiet nowrap">
        <Ago at={run.started_at ?? run.created_at} />
      </span>
      <span role="cell" className="quiet">
        <Lasting from={run.started_at} to={run.completed_at} />
      </span>
      <span role="cell" className="quiet right">
        {count(usage.input_tokens + usage.output_tokens)}
      </span>
    </div>
  );
}

/** A list that is scrolled draws rows that come into sight, not those that stay. */
const MemoRow = memo(RunRow);

function NoRuns({ isFiltered, onStart }: { isFiltered: boolean; onStart: (() => void) | undefined }) {
  if (isFiltered) {
    return (
      <div className="card">
        <Empty title="No matching runs">
          <p>Remove a filter to see more.</p>
        </Empty>
      </div>
    );
  }
  return (
    <div className="card">
      <Empty title="No runs yet">
        <p>
          A run is an agent at work on one message. Start one here, by the API, on a schedule, or by putting
          cases into a queue that an agent works on.
        </p>
        {onStart && (
          <button type="button" className="button primary" onClick={onStart}>
            Start a run
          </button>
        )}
      </Empty>
    </div>
  );
}

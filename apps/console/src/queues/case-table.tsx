import type { Case } from '@aos/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useClient, useMay } from '../session/session-context';
import { counted, words } from '../ui/format';
import { Empty, Failure, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Table, type Column } from '../ui/table';
import { Ago } from '../ui/time';
import { BulkBar } from './bulk-bar';
import { CaseLabel } from './case-label';
import { listInput, type CaseSearch } from './case-search';

const pageSize = 100;

interface CaseTableProps {
  readonly queueId: string;
  readonly search: CaseSearch;
  readonly onOpen: (caseId: string) => void;
}

export function CaseTable({ queueId, search, onOpen }: CaseTableProps) {
  const client = useClient();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useInfiniteQuery({
    queryKey: ['queue', queueId, 'cases', search],
    queryFn: ({ pageParam: offset }) =>
      client.listCases({ queue_id: queueId, ...listInput(search), limit: pageSize, offset }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * pageSize < last.total ? pages.length * pageSize : undefined,
  });
  const cases = useMemo(() => query.data?.pages.flatMap((page) => page.cases) ?? [], [query.data]);
  const mayWrite = useMay()('queues:write');
  if (!query.data) {
    if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
    return <Loading lines={6} />;
  }
  const total = query.data.pages[0]!.total;
  if (total === 0) {
    return (
      <div className="card">
        <Empty title={search.search || search.status ? 'No case is like that' : 'The queue is empty'}>
          <p>
            Add a case, or import a CSV file with a column “title”; every other column is what the agent gets
            to know.
          </p>
        </Empty>
      </div>
    );
  }
  const chosen = cases.filter(({ case_id }) => selected.has(case_id));
  const select = (changed: readonly Case[], isOn: boolean) => {
    const ids = changed.map(({ case_id }) => case_id);
    setSelected((now) => (isOn ? new Set([...now, ...ids]) : without(now, ids)));
  };
  const choice: Column<Case> = {
    title: (
      <input
        type="checkbox"
        aria-label="Choose all that are shown"
        checked={chosen.length === cases.length}
        onChange={({ target }) => select(cases, target.checked)}
      />
    ),
    cell: (one) => (
      <input
        type="checkbox"
        aria-label={`Choose ${one.title}`}
        checked={selected.has(one.case_id)}
        onChange={({ target }) => select([one], target.checked)}
      />
    ),
  };
  const name: Column<Case> = {
    title: 'Case',
    cell: ({ case_id: id, title }) => (
      <button type="button" className="link" onClick={() => onOpen(id)}>
        {title}
      </button>
    ),
  };
  return (
    <div className="stack tight">
      {chosen.length > 0 && (
        // Another one for other filters and another choice: that all are meant is said of these alone.
        <BulkBar
          key={JSON.stringify(search)}
          queueId={queueId}
          chosen={chosen}
          search={search}
          total={total}
          onDone={(ids) => setSelected((now) => without(now, ids))}
        />
      )}
      <div className="card">
        <Table
          rows={cases}
          keyOf={({ case_id }) => case_id}
          columns={[...(mayWrite ? [choice] : []), name, ...facts]}
        />
      </div>
      <div className="row">
        <span className="small quiet">
          {counted(cases.length, 'case')} of {total}
        </span>
        {query.hasNextPage && (
          <button
            type="button"
            className="button small"
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </button>
        )}
      </div>
    </div>
  );
}

function without(ids: Iterable<string>, gone: readonly string[]): ReadonlySet<string> {
  const left = new Set(ids);
  for (const id of gone) left.delete(id);
  return left;
}

const facts: readonly Column<Case>[] = [
  { title: 'Status', cell: (one) => <Status of={one.display_status} /> },
  {
    title: 'Priority',
    cell: ({ priority }) => (priority === 'none' ? <span className="quiet">–</span> : words(priority)),
  },
  {
    title: 'Labels',
    cell: ({ labels }) => (
      <span className="row">
        {labels.map((label) => (
          <CaseLabel key={label.id} label={label} />
        ))}
      </span>
    ),
  },
  { title: 'Created', className: 'quiet nowrap', cell: ({ created_at: at }) => <Ago at={at} /> },
];

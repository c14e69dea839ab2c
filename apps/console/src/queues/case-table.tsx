import type { Case } from '@aos/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  useReactTable,
  type RowSelectionState,
} from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { useClient, useMay } from '../session/session-context';
import { counted, words } from '../ui/format';
import { Empty, Failure, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Ago } from '../ui/time';
import { BulkBar } from './bulk-bar';
import { CaseLabel } from './case-label';
import { listInput, type CaseSearch } from './case-search';

const pageSize = 100;
const column = createColumnHelper<Case>();

interface CaseTableProps {
  readonly queueId: string;
  readonly search: CaseSearch;
  readonly onOpen: (caseId: string) => void;
}

export function CaseTable({ queueId, search, onOpen }: CaseTableProps) {
  const client = useClient();
  const [selection, setSelection] = useState<RowSelectionState>({});
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
  const columns = useMemo(() => columnsOf(onOpen, mayWrite), [onOpen, mayWrite]);
  const table = useReactTable({
    data: cases,
    columns,
    state: { rowSelection: selection },
    onRowSelectionChange: setSelection,
    getRowId: (row) => row.case_id,
    getCoreRowModel: getCoreRowModel(),
  });
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
  const chosen = cases.filter(({ case_id }) => selection[case_id]);
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
          onDone={(caseIds) => setSelection((now) => without(now, caseIds))}
        />
      )}
      <div className="card scroll">
        <table className="table">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => (
                  <th key={header.id}>{flexRender(header.column.columnDef.header, header.getContext())}</th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id}>
                {row.getVisibleCells().map((cell) => (
                  <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
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

function without(selection: RowSelectionState, caseIds: readonly string[]): RowSelectionState {
  return Object.fromEntries(Object.entries(selection).filter(([caseId]) => !caseIds.includes(caseId)));
}

function columnsOf(onOpen: (caseId: string) => void, canChoose: boolean) {
  const choice = column.display({
    id: 'choice',
    header: ({ table }) => (
      <input
        type="checkbox"
        aria-label="Choose all that are shown"
        checked={table.getIsAllRowsSelected()}
        onChange={table.getToggleAllRowsSelectedHandler()}
      />
    ),
    cell: ({ row }) => (
      <input
        type="checkbox"
        aria-label={`Choose ${row.original.title}`}
        checked={row.getIsSelected()}
        onChange={row.getToggleSelectedHandler()}
      />
    ),
  });
  return [
    ...(canChoose ? [choice] : []),
    column.accessor('title', {
      header: 'Case',
      cell: ({ row }) => (
        <button type="button" className="link" onClick={() => onOpen(row.original.case_id)}>
          {row.original.title}
        </button>
      ),
    }),
    column.accessor('display_status', { header: 'Status', cell: (cell) => <Status of={cell.getValue()} /> }),
    column.accessor('priority', {
      header: 'Priority',
      cell: (cell) =>
        cell.getValue() === 'none' ? <span className="quiet">–</span> : words(cell.getValue()),
    }),
    column.accessor('labels', {
      header: 'Labels',
      cell: (cell) => (
        <span className="row">
          {cell.getValue().map((label) => (
            <CaseLabel key={label.id} label={label} />
          ))}
        </span>
      ),
    }),
    column.accessor('created_at', {
      header: 'Created',
      cell: (cell) => (
        <span className="quiet nowrap">
          <Ago at={cell.getValue()} />
        </span>
      ),
    }),
  ];
}

import type { Case, CaseDisplayStatus } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import { words } from '../ui/format';
import { Loaded } from '../ui/states';
import { Ago } from '../ui/time';
import { columnOf, pendingColumn, shownInColumn } from './board-column';
import { CaseLabel } from './case-label';
import { caseStatuses, listInput, type CaseSearch } from './case-search';

interface CaseBoardProps {
  readonly queueId: string;
  readonly search: CaseSearch;
  readonly onOpen: (caseId: string) => void;
}

/** The cases by where they are. They move by themselves, as agents and people work on them. */
export function CaseBoard({ queueId, search, onOpen }: CaseBoardProps) {
  return (
    <div className="board" role="group" aria-label="Board" tabIndex={0}>
      {caseStatuses.map((status) => (
        <BoardColumn key={status} queueId={queueId} status={status} search={search} onOpen={onOpen} />
      ))}
    </div>
  );
}

function BoardColumn({
  queueId,
  status,
  search,
  onOpen,
}: CaseBoardProps & { readonly status: CaseDisplayStatus }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['queue', queueId, 'board', status, search.search],
    queryFn: async ({ signal }) => {
      const input = { queue_id: queueId, ...listInput({ search: search.search, status }) };
      return status === 'pending'
        ? pendingColumn(client.each.listCases({ ...input, limit: 100 }, { signal }))
        : columnOf(await client.listCases({ ...input, limit: shownInColumn }, { signal }));
    },
  });
  return (
    <section className="board-column" aria-label={words(status)}>
      <h2 className="row between">
        {words(status)} <span className="quiet">{query.data?.count}</span>
      </h2>
      <Loaded query={query} lines={2}>
        {({ here, isMore }) => (
          <>
            <ul className="stack tight">
              {here.map((one) => (
                <li key={one.case_id}>
                  <BoardCard one={one} onOpen={onOpen} />
                </li>
              ))}
            </ul>
            {isMore && <p className="small quiet">The table has the others.</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

function BoardCard({ one, onOpen }: { one: Case; onOpen: (caseId: string) => void }) {
  return (
    <button type="button" className="board-card" onClick={() => onOpen(one.case_id)}>
      <span>{one.title}</span>
      <span className="row small quiet">
        {one.priority !== 'none' && <span className="tag">{one.priority}</span>}
        {one.labels.map((label) => (
          <CaseLabel key={label.id} label={label} />
        ))}
        <Ago at={one.updated_at} />
      </span>
    </button>
  );
}

import type { Case, CaseDisplayStatus } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import { words } from '../ui/format';
import { Loaded } from '../ui/states';
import { Ago } from '../ui/time';
import { CaseLabel } from './case-label';
import { caseStatuses, listInput, type CaseSearch } from './case-search';

const shownInColumn = 50;

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
    queryFn: () =>
      client.listCases({
        queue_id: queueId,
        ...listInput({ search: search.search, status }),
        limit: shownInColumn,
      }),
  });
  return (
    <section className="board-column" aria-label={words(status)}>
      <Loaded query={query} lines={2}>
        {({ cases, total }) => {
          // Asked for what is pending, the service gives all that is not settled.
          const here = cases.filter((one) => one.display_status === status);
          return (
            <>
              <h2 className="row between">
                {words(status)} <span className="quiet">{status === 'pending' ? here.length : total}</span>
              </h2>
              <ul className="stack tight">
                {here.map((one) => (
                  <li key={one.case_id}>
                    <BoardCard one={one} onOpen={onOpen} />
                  </li>
                ))}
              </ul>
            </>
          );
        }}
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

import type { Queue } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, Link } from '@tanstack/react-router';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Select } from '../ui/controls';
import { words } from '../ui/format';
import { CaseBoard } from './case-board';
import { CaseTable } from './case-table';
import { ImportDialog } from './import-dialog';
import { LabelsDialog } from './labels-dialog';
import { NewCaseDialog } from './new-case-dialog';
import { caseStatuses, statusLabel, type CaseSearch } from './case-search';

interface QueueViewProps {
  readonly queue: Queue;
  readonly onOpen: (caseId: string) => void;
}

export function QueueView({ queue, onOpen }: QueueViewProps) {
  const [view, setView] = useState<'table' | 'board'>('table');
  const [search, setSearch] = useState<CaseSearch>({});
  return (
    <div className="stack">
      <Toolbar queue={queue} view={view} onView={setView} search={search} onSearch={setSearch} />
      <Workers queueId={queue.queue_id} />
      {view === 'table' ? (
        <CaseTable queueId={queue.queue_id} search={search} onOpen={onOpen} />
      ) : (
        <CaseBoard queueId={queue.queue_id} search={search} onOpen={onOpen} />
      )}
    </div>
  );
}

interface ToolbarProps {
  readonly queue: Queue;
  readonly view: 'table' | 'board';
  readonly onView: (view: 'table' | 'board') => void;
  readonly search: CaseSearch;
  readonly onSearch: (search: CaseSearch) => void;
}

function Toolbar({ queue, view, onView, search, onSearch }: ToolbarProps) {
  const mayWrite = useMay()('queues:write');
  const [dialog, setDialog] = useState<'new' | 'import' | 'labels'>();
  const close = () => setDialog(undefined);
  return (
    <div className="row between queue-tools">
      <div className="row" role="search">
        <input
          className="input"
          type="search"
          aria-label="Search the cases"
          placeholder="Search the cases"
          onChange={({ target }) => onSearch({ ...search, search: target.value.trim() || undefined })}
        />
        {view === 'table' && (
          <Select
            aria-label="Status"
            options={[
              ['', 'Any status'],
              ...caseStatuses.map((status) => [status, statusLabel(status)] as const),
            ]}
            value={search.status ?? ''}
            onChange={(status) => onSearch({ ...search, status: status || undefined })}
          />
        )}
        <div className="row" role="group" aria-label="View">
          {(['table', 'board'] as const).map((name) => (
            <button
              key={name}
              type="button"
              className="button small"
              aria-pressed={view === name}
              onClick={() => onView(name)}
            >
              {words(name)}
            </button>
          ))}
        </div>
      </div>
      {mayWrite && (
        <div className="row">
          <button type="button" className="button primary" onClick={() => setDialog('new')}>
            Add a case
          </button>
          <button type="button" className="button" onClick={() => setDialog('import')}>
            Import CSV
          </button>
          <button type="button" className="button" onClick={() => setDialog('labels')}>
            Labels
          </button>
          <DeleteQueue queue={queue} />
        </div>
      )}
      {dialog === 'new' && <NewCaseDialog queueId={queue.queue_id} onClose={close} />}
      {dialog === 'import' && <ImportDialog queueId={queue.queue_id} onClose={close} />}
      {dialog === 'labels' && <LabelsDialog queueId={queue.queue_id} onClose={close} />}
    </div>
  );
}

function DeleteQueue({ queue }: { queue: Queue }) {
  const client = useClient();
  const navigate = useNavigate();
  const remove = useAction(client.deleteQueue, {
    stale: [['queues']],
    said: ({ deleted_case_count: deleted }) => `The queue is deleted, with ${deleted} cases.`,
    onDone: () => void navigate({ to: '/queues', search: {} }),
  });
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${queue.name}?`}
      confirm="Delete it"
      disabled={remove.isPending}
      onConfirm={() => remove.mutate({ queue_id: queue.queue_id })}
    >
      All its cases are deleted, and runs that work on them are stopped.
    </ConfirmButton>
  );
}

function Workers({ queueId }: { queueId: string }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['queue', queueId, 'agents'],
    queryFn: () => client.listQueueAgents({ queue_id: queueId }),
  });
  if (!data) return null;
  const working = data.consumers.filter(({ enabled }) => enabled);
  if (working.length === 0) {
    return (
      <p className="banner warn">
        No agent works on these cases. Open an <Link to="/agents">agent</Link> and choose this queue for it.
      </p>
    );
  }
  return (
    <p className="small quiet">
      Worked on by{' '}
      {working.map(({ agent_id: agentId, name }, index) => (
        <span key={agentId}>
          {index > 0 && ', '}
          <Link to="/agents/$agentId" params={{ agentId }}>
            {name}
          </Link>
        </span>
      ))}
    </p>
  );
}

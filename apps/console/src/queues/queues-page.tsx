import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useQueues } from '../data/lookups/use-queues';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Select } from '../ui/controls';
import { TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { CaseDialog } from './case-dialog';
import { QueueView } from './queue-view';
import './queues.css';

export function QueuesPage() {
  const { queue: wanted, case: caseId } = useSearch({ from: '/queues' });
  const navigate = useNavigate({ from: '/queues' });
  const queues = useQueues();
  const [isMaking, setMaking] = useState(false);
  const show = (queue: string) => void navigate({ search: { queue } });
  const open = (id: string) =>
    void navigate({ search: ({ queue }) => ({ ...(queue ? { queue } : {}), case: id }) });
  const mayWrite = useMay()('queues:write');
  const makeButton = mayWrite && (
    <button type="button" className="button" onClick={() => setMaking(true)}>
      New queue
    </button>
  );
  return (
    <Page
      title="Queues"
      intro="Cases wait here until an agent takes them, each in a run of its own."
      actions={queues.data && queues.data.length > 0 && makeButton}
    >
      <Loaded query={queues}>
        {(all) => {
          const found = all.find(({ queue_id }) => queue_id === wanted);
          // One that was just made comes with the list that is being asked for.
          const isUnknown = wanted !== undefined && !found && !queues.isFetching;
          const shown = found ?? all[0];
          if (!shown) {
            return (
              <div className="card">
                <Empty title="No queue yet">
                  <p>
                    Make a queue, put cases into it by hand, from a CSV file or by the API, and let an agent
                    work on them (Agents, Queue).
                  </p>
                  {makeButton}
                </Empty>
              </div>
            );
          }
          return (
            <>
              <div className="row">
                <Select
                  aria-label="Queue"
                  options={all.map(({ queue_id, name }) => [queue_id, name] as const)}
                  value={shown.queue_id}
                  onChange={show}
                />
                {shown.description && <span className="quiet">{shown.description}</span>}
              </div>
              {isUnknown && (
                <p className="banner warn" role="status">
                  The queue of this address is not there any more. This is {shown.name}.
                </p>
              )}
              <QueueView key={shown.queue_id} queue={shown} onOpen={open} />
              {caseId && <CaseDialog caseId={caseId} onClose={() => show(shown.queue_id)} />}
            </>
          );
        }}
      </Loaded>
      {isMaking && <NewQueueDialog onMade={show} onClose={() => setMaking(false)} />}
    </Page>
  );
}

function NewQueueDialog({ onMade, onClose }: { onMade: (queueId: string) => void; onClose: () => void }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const make = useAction(client.createQueue, {
    stale: [['queues']],
    onDone: ({ queue_id: queueId }) => {
      onClose();
      onMade(queueId);
    },
  });
  return (
    <FormDialog
      title="New queue"
      submit="Make it"
      disabled={make.isPending}
      onSubmit={() => make.mutate({ name, ...(description === '' ? {} : { description }) })}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={100} value={name} onChange={setName} />
      <TextField label="Description" value={description} onChange={setDescription} />
    </FormDialog>
  );
}

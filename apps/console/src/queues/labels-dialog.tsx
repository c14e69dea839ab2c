import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { counted } from '../ui/format';
import { Loaded } from '../ui/states';
import { CaseLabel } from './case-label';

export function LabelsDialog({ queueId, onClose }: { queueId: string; onClose: () => void }) {
  const client = useClient();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const stale = [['queue', queueId]];
  const query = useQuery({
    queryKey: ['queue', queueId, 'labels'],
    queryFn: () => gather(client.each.listCaseLabels({ queue_id: queueId })),
  });
  const add = useAction(client.createCaseLabel, {
    stale,
    onDone: () => {
      setKey('');
      setValue('');
    },
  });
  const remove = useAction(client.deleteCaseLabel, { stale });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ queue_id: queueId, key, value });
  };
  return (
    <Dialog title="Labels" onClose={onClose}>
      <Loaded query={query}>
        {(labels) => (
          <ul className="stack tight">
            {labels.length === 0 && (
              <li className="quiet">No labels yet. They sort cases: team: north, kind: refund.</li>
            )}
            {labels.map((label) => (
              <li key={label.id} className="row between">
                <CaseLabel label={label} />
                <span className="row">
                  <span className="small quiet">{counted(label.case_count, 'case')}</span>
                  <button
                    type="button"
                    className="button small danger"
                    aria-label={`Delete ${label.key}: ${label.value}`}
                    disabled={remove.isPending}
                    onClick={() => remove.mutate({ queue_id: queueId, label_id: label.label_id })}
                  >
                    Delete
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <form className="row" onSubmit={submit}>
        <input
          className="input grow"
          required
          aria-label="Key"
          placeholder="Key"
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
        <input
          className="input grow"
          aria-label="Value"
          placeholder="Value"
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <button type="submit" className="button" disabled={add.isPending}>
          Add
        </button>
      </form>
    </Dialog>
  );
}

import { enumValues, type CasePriority } from '@aos/client';
import { useState, type FormEvent } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { Field, TextField } from '../ui/field';

export function NewCaseDialog({ queueId, onClose }: { queueId: string; onClose: () => void }) {
  const client = useClient();
  const [title, setTitle] = useState('');
  const [data, setData] = useState('');
  const [priority, setPriority] = useState<CasePriority>('none');
  const [problem, setProblem] = useState<string>();
  const add = useAction(client.createCases, {
    stale: [['queue', queueId], ['queues']],
    said: 'The case is in the queue.',
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      const parsed = data.trim() === '' ? {} : { data: JSON.parse(data) as unknown };
      setProblem(undefined);
      add.mutate({ queue_id: queueId, case: { title, priority, ...parsed } });
    } catch {
      setProblem('This is no valid JSON.');
    }
  };
  return (
    <Dialog title="Add a case" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label="Title" required maxLength={500} value={title} onChange={setTitle} />
        <Field label="Data" hint="JSON that the agent gets to know. Optional." error={problem}>
          {(ids) => (
            <textarea
              {...ids}
              className="input mono"
              rows={5}
              placeholder='{"order": 4711}'
              value={data}
              onChange={({ target }) => setData(target.value)}
            />
          )}
        </Field>
        <Field label="Priority">
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={priority}
              onChange={({ target }) => setPriority(target.value as CasePriority)}
            >
              {enumValues.CasePriority.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <div className="foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={add.isPending}>
            Add it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { enumValues, type CasePriority } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { SelectField, TextAreaField, TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';

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
  const submit = () => {
    try {
      const parsed = data.trim() === '' ? {} : { data: JSON.parse(data) as unknown };
      setProblem(undefined);
      add.mutate({ queue_id: queueId, case: { title, priority, ...parsed } });
    } catch {
      setProblem('This is no valid JSON.');
    }
  };
  return (
    <FormDialog
      title="Add a case"
      submit="Add it"
      disabled={add.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Title" required maxLength={500} value={title} onChange={setTitle} />
      <TextAreaField
        label="Data"
        hint="JSON that the agent gets to know. Optional."
        error={problem}
        className="input mono"
        rows={5}
        placeholder='{"order": 4711}'
        value={data}
        onChange={setData}
      />
      <SelectField
        label="Priority"
        options={enumValues.CasePriority}
        value={priority}
        onChange={setPriority}
      />
    </FormDialog>
  );
}

import type { Run } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { TextArea } from '../ui/controls';
import { useUnsaved } from '../ui/unsaved';

const hints: Readonly<Record<Run['status'], string>> = {
  pending: 'It is read when the run begins.',
  running: 'It is read at the next turn.',
  waiting: 'It takes the open question back, and the run goes on.',
  completed: 'It opens the run again.',
  failed: 'It opens the run again, from its last step.',
  stopped: 'It opens the run again, from its last step.',
};

/** A message to the run. The text stays until the service has it. */
export function Composer({ run }: { run: Run }) {
  const client = useClient();
  const [message, setMessage] = useState('');
  useUnsaved(message.trim() !== '', { what: 'Your message to the run' });
  const post = useAction(client.postRunMessage, {
    stale: [['run', run.run_id], ['runs'], ['inbox']],
    onDone: () => setMessage(''),
  });
  return (
    <form
      className="composer stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        post.mutate({ run_id: run.run_id, message });
      }}
    >
      <TextArea
        rows={2}
        aria-label="Message to the run"
        placeholder="Message to the run"
        value={message}
        onChange={setMessage}
      />
      <div className="row between">
        <span className="hint">{hints[run.status]}</span>
        <button type="submit" className="button" disabled={message.trim() === '' || post.isPending}>
          {post.isPending ? 'Sending…' : 'Send'}
        </button>
      </div>
    </form>
  );
}

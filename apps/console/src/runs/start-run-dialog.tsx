import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Link } from '@tanstack/react-router';
import { useAgents } from '../data/lookups/use-agents';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Empty, Loaded } from '../ui/states';

interface StartRunDialogProps {
  readonly agentId?: string;
  readonly onClose: () => void;
}

export function StartRunDialog({ agentId, onClose }: StartRunDialogProps) {
  const client = useClient();
  const navigate = useNavigate();
  const agents = useAgents();
  const [agent, setAgent] = useState(agentId ?? '');
  const [message, setMessage] = useState('');
  const [asksPeople, setAsksPeople] = useState(true);
  const start = useAction(client.startRun, {
    stale: [['runs']],
    onDone: ({ run_id: runId }) => {
      onClose();
      void navigate({ to: '/runs/$runId', params: { runId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = agent || agents.data?.[0]?.agent_id;
    if (!chosen) return;
    start.mutate({
      agent_id: chosen,
      human_in_the_loop_enabled: asksPeople,
      ...(message === '' ? {} : { message }),
    });
  };
  return (
    <Dialog title="Start a run" onClose={onClose}>
      <Loaded query={agents}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="There is no agent yet">
              <p>A run needs an agent. Make one first; it works at once.</p>
              <Link to="/agents" className="button primary" onClick={onClose}>
                To the agents
              </Link>
            </Empty>
          ) : (
            <form className="stack" onSubmit={submit}>
              <Field label="Agent">
                {(ids) => (
                  <select
                    {...ids}
                    className="input"
                    value={agent}
                    onChange={({ target }) => setAgent(target.value)}
                  >
                    {all.map(({ agent_id, name }) => (
                      <option key={agent_id} value={agent_id}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <Field label="Message" hint="What the agent is to do. Its live revision is used.">
                {(ids) => (
                  <textarea
                    {...ids}
                    className="input"
                    rows={4}
                    value={message}
                    onChange={({ target }) => setMessage(target.value)}
                  />
                )}
              </Field>
              <label className="choice">
                <input
                  type="checkbox"
                  checked={asksPeople}
                  onChange={({ target }) => setAsksPeople(target.checked)}
                />
                <span>It may ask people</span>
              </label>
              <div className="foot">
                <button type="button" className="button" onClick={onClose}>
                  Cancel
                </button>
                <button type="submit" className="button primary" disabled={start.isPending}>
                  {start.isPending ? 'Starting…' : 'Start'}
                </button>
              </div>
            </form>
          )
        }
      </Loaded>
    </Dialog>
  );
}

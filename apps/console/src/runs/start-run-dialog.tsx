import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAgents } from '../data/lookups/use-agents';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Checkbox } from '../ui/controls';
import { Dialog } from '../ui/dialog';
import { SelectField, TextAreaField } from '../ui/field';
import { DialogForm } from '../ui/form-dialog';
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
  const submit = () => {
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
            <DialogForm
              submit={start.isPending ? 'Starting…' : 'Start'}
              disabled={start.isPending}
              onSubmit={submit}
              onCancel={onClose}
            >
              <SelectField
                label="Agent"
                options={all.map(({ agent_id, name }) => [agent_id, name] as const)}
                value={agent}
                onChange={setAgent}
              />
              <TextAreaField
                label="Message"
                hint="What the agent is to do. Its live revision is used."
                rows={4}
                value={message}
                onChange={setMessage}
              />
              <Checkbox checked={asksPeople} onChange={setAsksPeople}>
                It may ask people
              </Checkbox>
            </DialogForm>
          )
        }
      </Loaded>
    </Dialog>
  );
}

import type { CaseTrigger } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQueues } from '../lookups/use-queues';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Card } from '../ui/page';
import { Empty, Loaded } from '../ui/states';

/** The queue whose cases the agent works on. */
export function TriggersTab({ agentId }: { agentId: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['agent', agentId, 'triggers'],
    queryFn: () => client.listAgentCaseTriggers({ agent_id: agentId }),
  });
  return (
    <Card title="Queue">
      <Loaded query={query}>
        {({ case_triggers: [trigger] }) =>
          trigger ? <TriggerView trigger={trigger} /> : <ChooseQueue agentId={agentId} />
        }
      </Loaded>
    </Card>
  );
}

function TriggerView({ trigger }: { trigger: CaseTrigger }) {
  const client = useClient();
  const ids = { agent_id: trigger.agent_id, trigger_id: trigger.id };
  const stale = [
    ['agent', trigger.agent_id, 'triggers'],
    ['queue', trigger.case_queue_id],
  ];
  const update = useAction(client.updateCaseTrigger, { stale });
  const remove = useAction(client.deleteCaseTrigger, { stale, said: 'It takes no more cases.' });
  return (
    <div className="stack">
      <p>
        It works on the cases of{' '}
        <Link to="/queues" search={{ queue: trigger.case_queue_id }}>
          {trigger.case_queue_name}
        </Link>
        , {trigger.concurrency ?? 5} at a time.
      </p>
      {trigger.has_conflict && (
        <p className="banner warn">
          Other agents take cases of this queue too:{' '}
          {trigger.conflicting_agents.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <div className="row">
        <label className="row">
          <input
            type="checkbox"
            checked={trigger.enabled}
            disabled={update.isPending}
            onChange={({ target }) => update.mutate({ ...ids, enabled: target.checked })}
          />
          On
        </label>
        <button
          type="button"
          className="button small danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate(ids)}
        >
          Take away
        </button>
      </div>
    </div>
  );
}

function ChooseQueue({ agentId }: { agentId: string }) {
  const client = useClient();
  const queues = useQueues();
  const [queue, setQueue] = useState('');
  const create = useAction(client.createCaseTrigger, {
    stale: [['agent', agentId, 'triggers'], ['queue']],
    said: 'It takes cases from now on.',
  });
  return (
    <Loaded query={queues}>
      {(all) =>
        all.length === 0 ? (
          <Empty title="There is no queue yet">
            <p>An agent can take the cases of a queue, each in a run of its own.</p>
            <Link to="/queues" className="button">
              To the queues
            </Link>
          </Empty>
        ) : (
          <form
            className="row"
            onSubmit={(event) => {
              event.preventDefault();
              create.mutate({ agent_id: agentId, case_queue_id: queue || all[0]!.queue_id });
            }}
          >
            <select
              className="input"
              aria-label="Queue"
              value={queue}
              onChange={({ target }) => setQueue(target.value)}
            >
              {all.map(({ queue_id, name }) => (
                <option key={queue_id} value={queue_id}>
                  {name}
                </option>
              ))}
            </select>
            <button type="submit" className="button primary" disabled={create.isPending}>
              Work on its cases
            </button>
          </form>
        )
      }
    </Loaded>
  );
}

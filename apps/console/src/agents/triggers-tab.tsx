import type { CaseTrigger } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQueues } from '../data/lookups/use-queues';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Checkbox, Select } from '../ui/controls';
import { Card } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { defaultConcurrency, StartWorkDialog } from './start-work-dialog';

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
  const mayWrite = useMay()('agents:write');
  const [isStarting, setStarting] = useState(false);
  const ids = { agent_id: trigger.agent_id, trigger_id: trigger.id };
  const stale = [
    ['agent', trigger.agent_id, 'triggers'],
    ['queue', trigger.case_queue_id],
  ];
  const update = useAction(client.updateCaseTrigger, { stale, onDone: () => setStarting(false) });
  const remove = useAction(client.deleteCaseTrigger, { stale, said: 'Queue disconnected.' });
  const concurrency = trigger.concurrency ?? defaultConcurrency;
  return (
    <div className="stack">
      <p>
        The agent works on the cases of{' '}
        <Link to="/queues" search={{ queue: trigger.case_queue_id }}>
          {trigger.case_queue_name}
        </Link>
        , {concurrency} at a time.{!trigger.enabled && ' It is off: no run starts.'}
      </p>
      {trigger.has_conflict && (
        <p className="banner warn">
          Other agents take cases of this queue too:{' '}
          {trigger.conflicting_agents.map(({ name }) => name).join(', ')}.
        </p>
      )}
      {mayWrite && (
        <div className="row">
          <Checkbox
            className="row"
            checked={trigger.enabled}
            disabled={update.isPending}
            onChange={(isOn) => (isOn ? setStarting(true) : update.mutate({ ...ids, enabled: false }))}
          >
            On
          </Checkbox>
          <ConfirmButton
            label="Disconnect"
            className="button small danger"
            title={`Disconnect ${trigger.case_queue_name}?`}
            confirm="Disconnect"
            disabled={remove.isPending}
            onConfirm={() => remove.mutate(ids)}
          >
            The agent takes no more cases of this queue. Runs that it has started continue.
          </ConfirmButton>
        </div>
      )}
      {isStarting && (
        <StartWorkDialog
          agentId={trigger.agent_id}
          queue={{ queue_id: trigger.case_queue_id, name: trigger.case_queue_name }}
          concurrency={concurrency}
          isBusy={update.isPending}
          onStart={(wanted) => update.mutate({ ...ids, enabled: true, concurrency: wanted })}
          onClose={() => setStarting(false)}
        />
      )}
    </div>
  );
}

function ChooseQueue({ agentId }: { agentId: string }) {
  const client = useClient();
  const queues = useQueues();
  const may = useMay();
  const [queueId, setQueueId] = useState('');
  const [isStarting, setStarting] = useState(false);
  const create = useAction(client.createCaseTrigger, {
    stale: [['agent', agentId, 'triggers'], ['queue']],
    said: 'Queue connected.',
    onDone: () => setStarting(false),
  });
  if (!may('agents:write') || !may('queues:read')) {
    return <p className="quiet">The agent works on no queue.</p>;
  }
  return (
    <Loaded query={queues}>
      {(all) => {
        if (all.length === 0) {
          return (
            <Empty title="There is no queue yet">
              <p>An agent can take the cases of a queue, each in a run of its own.</p>
              <Link to="/queues" className="button">
                To the queues
              </Link>
            </Empty>
          );
        }
        const queue = all.find(({ queue_id: id }) => id === queueId);
        return (
          <>
            <form
              className="row"
              onSubmit={(event) => {
                event.preventDefault();
                setStarting(true);
              }}
            >
              <Select
                aria-label="Queue"
                required
                options={[
                  ['', 'Choose a queue'],
                  ...all.map(({ queue_id, name }) => [queue_id, name] as const),
                ]}
                value={queueId}
                onChange={setQueueId}
              />
              <button type="submit" className="button primary" disabled={!queue}>
                Work on its cases…
              </button>
            </form>
            {isStarting && queue && (
              <StartWorkDialog
                agentId={agentId}
                queue={queue}
                concurrency={defaultConcurrency}
                isBusy={create.isPending}
                onStart={(concurrency) =>
                  create.mutate({ agent_id: agentId, case_queue_id: queue.queue_id, concurrency })
                }
                onClose={() => setStarting(false)}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

import type { Queue } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUnsettledCounts } from '../data/lookups/use-case-counts';
import { useClient } from '../session/session-context';
import { TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';
import { Loaded } from '../ui/states';
import { workPreview } from './work-preview';

export const defaultConcurrency = 5;

interface StartWorkDialogProps {
  readonly agentId: string;
  readonly queue: Pick<Queue, 'queue_id' | 'name'>;
  readonly concurrency: number;
  readonly isBusy: boolean;
  readonly onStart: (concurrency: number) => void;
  readonly onClose: () => void;
}

/** Says how many runs an agent is about to start before it starts them. */
export function StartWorkDialog(props: StartWorkDialogProps) {
  const { agentId, queue, isBusy, onStart, onClose } = props;
  const client = useClient();
  const [concurrency, setConcurrency] = useState(String(props.concurrency));
  const counts = useUnsettledCounts(queue.queue_id);
  const { data: workers } = useQuery({
    queryKey: ['queue', queue.queue_id, 'agents'],
    queryFn: () => client.listQueueAgents({ queue_id: queue.queue_id }),
  });
  const others = (workers?.consumers ?? []).filter((one) => one.enabled && one.agent_id !== agentId);
  return (
    <FormDialog
      title={`Start work on ${queue.name}?`}
      submit={isBusy ? 'Starting…' : 'Start work'}
      disabled={isBusy || !counts.data}
      onSubmit={() => onStart(Number(concurrency))}
      onClose={onClose}
    >
      <Loaded query={counts} lines={2}>
        {(known) => (
          <ul className="listed">
            {workPreview(known).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </Loaded>
      {others.length > 0 && (
        <p className="banner warn">
          Other agents take cases of this queue too: {others.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <TextField
        label="Cases at a time"
        type="number"
        required
        min={1}
        max={1_000}
        value={concurrency}
        onChange={setConcurrency}
      />
    </FormDialog>
  );
}

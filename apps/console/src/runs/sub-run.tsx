import type { Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useClient } from '../session/session-context';
import { Status } from '../ui/status';

interface SubRunProps {
  readonly parent: Run;
  readonly agentId: string;
  readonly result: unknown;
  readonly since: string;
  readonly nested: (run: Run) => ReactNode;
}

/** The run that a call of another agent has started, within the one that called it. */
export function SubRun({ parent, agentId, result, since, nested }: SubRunProps) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const known = idIn(result);
  const { data: child } = useQuery({
    queryKey: ['run', parent.run_id, 'sub-run', known ?? since],
    queryFn: async () => {
      if (known) return (await client.getRun({ run_id: known })).run;
      const { data } = await client.listRuns({
        agent_id: agentId,
        source: 'agent',
        since,
        sort_order: 'asc',
        limit: 100,
      });
      return data.find(({ metadata }) => metadata['parent_run_id'] === parent.run_id) ?? null;
    },
    enabled: agentId !== '',
  });
  if (!child) return null;
  return (
    <div className="card">
      <header>
        <span className="row">
          <Status of={child.status} />
          <Link to="/runs/$runId" params={{ runId: child.run_id }}>
            {child.agent_name}: {child.title}
          </Link>
        </span>
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fold' : 'Unfold'}
        </button>
      </header>
      {isOpen && nested(child)}
    </div>
  );
}

function idIn(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || !('run_id' in result)) return undefined;
  return typeof result.run_id === 'string' ? result.run_id : undefined;
}

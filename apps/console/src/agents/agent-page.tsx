import type { Agent } from '@aos/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { StartRunDialog } from '../runs/start-run-dialog';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Page } from '../ui/page';
import { Failure, Loading } from '../ui/states';
import { Tabs } from '../ui/tabs';
import { ConfirmButton } from '../ui/confirm';
import { EvaluationTab } from './evaluation-tab';
import { MemoryTab } from './memory-tab';
import { PlaygroundTab } from './playground-tab';
import { RevisionsTab } from './revisions-tab';
import { SchedulesTab } from './schedules-tab';
import { TriggersTab } from './triggers-tab';
import { useAgent } from './use-agent';

/** Another one for another agent, so that nothing of the one before stays chosen, typed or shown. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' });
  return <AgentView key={agentId} agentId={agentId} />;
}

function AgentView({ agentId }: { agentId: string }) {
  const { tab = 'revisions' } = useSearch({ from: '/agents/$agentId' });
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const query = useAgent(agentId);
  const may = useMay();
  if (!query.data) {
    return (
      <Page title="Agent">
        {query.isError ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={6} />
        )}
      </Page>
    );
  }
  const { agent } = query.data;
  const judged = { name: 'evaluation', label: 'Evaluation', content: <EvaluationTab agent={agent} /> };
  const tabs = [
    { name: 'revisions', label: 'Revisions', content: <RevisionsTab agent={agent} /> },
    { name: 'playground', label: 'Playground', content: <PlaygroundTab agent={agent} /> },
    { name: 'schedules', label: 'Schedules', content: <SchedulesTab agentId={agentId} /> },
    { name: 'queue', label: 'Queue', content: <TriggersTab agentId={agentId} /> },
    { name: 'memory', label: 'Memory', content: <MemoryTab agentId={agentId} /> },
    ...(may('evals:read') ? [judged] : []),
  ];
  return (
    <Page title={agent.name} intro={agent.description ?? undefined} actions={<Actions agent={agent} />}>
      <Tabs
        label="Parts of the agent"
        tabs={tabs}
        shown={tabs.some(({ name }) => name === tab) ? tab : 'revisions'}
        onShow={(name) => void navigate({ search: (before) => ({ ...before, tab: name }), replace: true })}
      />
    </Page>
  );
}

function Actions({ agent }: { agent: Agent }) {
  const client = useClient();
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const may = useMay();
  const remove = useAction(client.deleteAgent, {
    stale: [['agents'], ['runs']],
    said: 'The agent is deleted.',
    onDone: () => void navigate({ to: '/agents' }),
  });
  return (
    <>
      {may('runs:write') && (
        <button type="button" className="button primary" onClick={() => setStarting(true)}>
          Start a run
        </button>
      )}
      {may('agents:write') && (
        <ConfirmButton
          label="Delete"
          title={`Delete ${agent.name}?`}
          confirm="Delete it"
          disabled={remove.isPending}
          onConfirm={() => remove.mutate({ agent_id: agent.agent_id })}
        >
          Its active runs are stopped and its schedules deleted. Runs that have ended stay readable.
        </ConfirmButton>
      )}
      {isStarting && <StartRunDialog agentId={agent.agent_id} onClose={() => setStarting(false)} />}
    </>
  );
}

import type { ListedAgent } from '@aos/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAgents } from '../data/lookups/use-agents';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Code } from '../ui/code';
import { TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';
import { Page } from '../ui/page';
import { ResourceCard } from '../ui/resource-card';
import { Empty } from '../ui/states';
import type { Column } from '../ui/table';
import { Ago } from '../ui/time';

export function AgentsPage() {
  const agents = useAgents();
  const [isMaking, setMaking] = useState(false);
  const add = useMay()('agents:write') && (
    <button type="button" className="button primary" onClick={() => setMaking(true)}>
      New agent
    </button>
  );
  return (
    <Page
      title="Agents"
      intro="An agent is a procedure with the tools that it may use. What is live is what runs use."
      actions={add}
    >
      <ResourceCard
        query={agents}
        empty={
          <Empty title="No agents yet">
            <p>
              Make one: write what it is to do in your own words, or in steps for the built-in model, which
              needs no key. It is live at once.
            </p>
            {add}
          </Empty>
        }
        keyOf={({ agent_id: agentId }) => agentId}
        columns={columns}
      />
      {isMaking && <NewAgentDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

const columns: readonly Column<ListedAgent>[] = [
  {
    title: 'Name',
    cell: ({ agent_id: agentId, name, description }) => (
      <>
        <Link to="/agents/$agentId" params={{ agentId }}>
          <strong>{name}</strong>
        </Link>
        {description && <div className="small quiet">{description}</div>}
      </>
    ),
  },
  {
    title: 'Latest revision',
    cell: ({ latest_build: build }) => (
      <>
        {build.revision_number} <span className="quiet">{build.status}</span>
      </>
    ),
  },
  {
    title: 'Model',
    className: 'mono quiet',
    cell: ({ latest_build: build }) => build.config.data.models.agent.model,
  },
  {
    title: 'Schedules',
    className: 'quiet',
    cell: ({ schedules }) => schedules?.filter(({ enabled }) => enabled).length ?? 0,
  },
  { title: 'Last run', className: 'quiet nowrap', cell: (agent) => <Ago at={agent.last_run_at} /> },
];

const example = `# Answer customers

Read the message, look up what is asked, and answer in two sentences.
Ask before anything is refunded.

\`\`\`steps
say Looking at it: {{message}}
approve Send this answer?
finish Answered.
\`\`\`
`;

function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [procedure, setProcedure] = useState(example);
  const make = useAction(client.createAgent, {
    stale: [['agents']],
    onDone: ({ agent_id: agentId }) => void navigate({ to: '/agents/$agentId', params: { agentId } }),
  });
  const submit = () =>
    make.mutate({
      name,
      ...(description === '' ? {} : { description }),
      build: { config: { data: { input: procedure } } },
    });
  return (
    <FormDialog
      title="New agent"
      large
      submit={make.isPending ? 'Making…' : 'Make it'}
      disabled={make.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} value={name} onChange={setName} />
      <TextField label="Description" value={description} onChange={setDescription} />
      <div className="field">
        <span className="label">Procedure</span>
        <Code value={example} label="Procedure" onChange={setProcedure} />
        <span className="hint">
          Markdown. The block “steps” is for the built-in model, which follows it line by line; other models
          read it all.
        </span>
      </div>
    </FormDialog>
  );
}

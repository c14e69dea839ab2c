import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useAgents } from '../data/lookups/use-agents';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Code } from '../ui/code';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Card, Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Ago } from '../ui/time';

export function AgentsPage() {
  const agents = useAgents();
  const [isMaking, setMaking] = useState(false);
  const mayWrite = useMay()('agents:write');
  return (
    <Page
      title="Agents"
      intro="An agent is a procedure with the tools that it may use. What is live is what runs use."
      actions={
        mayWrite && (
          <button type="button" className="button primary" onClick={() => setMaking(true)}>
            New agent
          </button>
        )
      }
    >
      <Card flush>
        <Loaded query={agents}>
          {(all) =>
            all.length === 0 ? (
              <Empty title="No agents yet">
                <p>
                  Make one: write what it is to do in your own words, or in steps for the built-in model,
                  which needs no key. It is live at once.
                </p>
                {mayWrite && (
                  <button type="button" className="button primary" onClick={() => setMaking(true)}>
                    New agent
                  </button>
                )}
              </Empty>
            ) : (
              <div className="scroll">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Latest revision</th>
                      <th>Model</th>
                      <th>Schedules</th>
                      <th>Last run</th>
                    </tr>
                  </thead>
                  <tbody>
                    {all.map(
                      ({
                        agent_id: agentId,
                        name,
                        description,
                        latest_build: build,
                        schedules,
                        ...agent
                      }) => (
                        <tr key={agentId}>
                          <td>
                            <Link to="/agents/$agentId" params={{ agentId }}>
                              <strong>{name}</strong>
                            </Link>
                            {description && <div className="small quiet">{description}</div>}
                          </td>
                          <td>
                            {build.revision_number} <span className="quiet">{build.status}</span>
                          </td>
                          <td className="mono quiet">{build.config.data.models.agent.model}</td>
                          <td className="quiet">{schedules?.filter(({ enabled }) => enabled).length ?? 0}</td>
                          <td className="quiet nowrap">
                            <Ago at={agent.last_run_at} />
                          </td>
                        </tr>
                      ),
                    )}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </Card>
      {isMaking && <NewAgentDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate({
      name,
      ...(description === '' ? {} : { description }),
      build: { config: { data: { input: procedure } } },
    });
  };
  return (
    <Dialog title="New agent" large onClose={onClose}>
      <form className="stack" onSubmit={submit}>
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
        <div className="foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={make.isPending}>
            {make.isPending ? 'Making…' : 'Make it'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

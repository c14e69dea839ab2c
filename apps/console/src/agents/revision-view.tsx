import type { Build } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Code, Diff } from '../ui/code';
import { Markdown } from '../ui/markdown';
import { Card } from '../ui/page';
import { Status } from '../ui/status';
import { BuilderPanel } from './builder-panel';
import { configText } from './config-text';
import { PromoteDialog } from './promote-dialog';

interface RevisionViewProps {
  readonly build: Build;
  readonly builds: readonly Build[];
  readonly onShow: (buildId: string) => void;
}

/** One revision: what it says, what it changes, and what can be done with it. */
export function RevisionView({ build, builds, onShow }: RevisionViewProps) {
  const live = builds.find(({ status }) => status === 'live');
  const [isPromoting, setPromoting] = useState(false);
  return (
    <div className="stack">
      <Card
        title={
          <span className="row">
            Revision {build.revision_number} <Status of={build.status} />
          </span>
        }
        actions={
          build.status !== 'live' && (
            <button type="button" className="button primary" onClick={() => setPromoting(true)}>
              Promote
            </button>
          )
        }
      >
        <div className="stack">
          {build.revision_description && <p>{build.revision_description}</p>}
          <ConfigFacts build={build} />
          {build.status === 'draft' ? (
            <DraftEditor build={build} />
          ) : (
            <Markdown text={build.config.data.input || '*No procedure.*'} />
          )}
        </div>
      </Card>
      {live && live.build_id !== build.build_id && (
        <Card title={`Against what is live (revision ${live.revision_number})`}>
          <Diff
            before={configText(live.config)}
            after={configText(build.config)}
            label="Changes against the live revision"
          />
        </Card>
      )}
      <BuilderPanel build={build} onAccepted={onShow} />
      {isPromoting && <PromoteDialog build={build} onClose={() => setPromoting(false)} />}
    </div>
  );
}

function ConfigFacts({ build: { config } }: { build: Build }) {
  const { models, plugins, options, connections, sub_agents: subAgents } = config.data;
  return (
    <div className="row small">
      <span className="tag">{models.agent.model}</span>
      <span className="tag">
        {plugins === undefined ? 'all tools' : plugins.join(', ') || 'human and cases only'}
      </span>
      <span className="tag">at most {options.max_steps} steps</span>
      {connections.length > 0 && <span className="tag">{connections.length} connections</span>}
      {subAgents.length > 0 && <span className="tag">{subAgents.length} other agents</span>}
    </div>
  );
}

function DraftEditor({ build }: { build: Build }) {
  const client = useClient();
  const [procedure, setProcedure] = useState(build.config.data.input);
  const [model, setModel] = useState(build.config.data.models.agent.model);
  const save = useAction(client.updateRevision, {
    stale: [['agent', build.agent_id]],
    said: 'The draft is saved.',
  });
  const isChanged = procedure !== build.config.data.input || model !== build.config.data.models.agent.model;
  const send = () => {
    const data = { ...build.config.data, input: procedure, models: { agent: { model } } };
    save.mutate({ build_id: build.build_id, config: { ...build.config, data } });
  };
  return (
    <div className="stack">
      <label className="row">
        <span className="small quiet">Model</span>
        <input className="input mono grow" value={model} onChange={({ target }) => setModel(target.value)} />
      </label>
      <Code
        key={build.updated_at}
        value={build.config.data.input}
        label="Procedure"
        onChange={setProcedure}
      />
      <div className="row">
        <button type="button" className="button" disabled={!isChanged || save.isPending} onClick={send}>
          {save.isPending ? 'Saving…' : 'Save the draft'}
        </button>
        {isChanged && <span className="hint">Not saved yet.</span>}
      </div>
    </div>
  );
}

import type { Build } from '@aos/client';
import { useState } from 'react';
import { useMay } from '../session/session-context';
import { Diff } from '../ui/code';
import { Markdown } from '../ui/markdown';
import { Card } from '../ui/page';
import { Status } from '../ui/status';
import { useUnsaved } from '../ui/unsaved';
import { BuilderPanel } from './builder-panel';
import { configText } from './config-text';
import { DraftEditor } from './draft-editor';
import { LostDraft } from './lost-draft';
import { PromoteDialog } from './promote-dialog';
import { RevisionWarnings } from './revision-warnings';
import { useDraft } from './use-draft';

interface RevisionViewProps {
  readonly build: Build;
  readonly builds: readonly Build[];
  /** `isSafe`: nothing that is typed here is lost by it. */
  readonly onShow: (buildId: string, isSafe?: boolean) => void;
}

/** One revision: what it says, what it changes, and what can be done with it. */
export function RevisionView({ build, builds, onShow }: RevisionViewProps) {
  const live = builds.find(({ status }) => status === 'live');
  const [isPromoting, setPromoting] = useState(false);
  const mayWrite = useMay()('agents:write');
  const inHand = useDraft(build);
  const isDraft = build.status === 'draft';
  useUnsaved(inHand.isChanged, {
    what: `Your changes to revision ${build.revision_number}`,
    save: isDraft ? inHand.save : undefined,
  });
  return (
    <div className="stack">
      <Card
        title={
          <span className="row">
            Revision {build.revision_number} <Status of={build.status} />
          </span>
        }
        actions={
          mayWrite &&
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
          <RevisionWarnings build={build} />
          {!isDraft && inHand.isChanged && <LostDraft build={build} inHand={inHand} onShow={onShow} />}
          {isDraft && mayWrite ? (
            <DraftEditor build={build} inHand={inHand} />
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
      {mayWrite && <BuilderPanel build={build} onAccepted={onShow} />}
      {isPromoting && (
        <PromoteDialog
          build={build}
          saveFirst={inHand.isChanged ? inHand.save : undefined}
          onClose={() => setPromoting(false)}
        />
      )}
    </div>
  );
}

function ConfigFacts({ build: { config } }: { build: Build }) {
  const { models, plugins, options, connections, sub_agents: subAgents } = config.data;
  return (
    <div className="row small">
      <span className="tag">{models.agent.model}</span>
      {(plugins === undefined ? ['all tools'] : plugins.length > 0 ? plugins : ['human and cases only']).map(
        (name) => (
          <span key={name} className="tag">
            {name}
          </span>
        ),
      )}
      <span className="tag">at most {options.max_steps} steps</span>
      {connections.length > 0 && <span className="tag">{connections.length} connections</span>}
      {subAgents.length > 0 && <span className="tag">{subAgents.length} other agents</span>}
    </div>
  );
}

import type { Agent, Build } from '@aos/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Card } from '../ui/page';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Ago } from '../ui/time';
import { RevisionView } from './revision-view';
import { useRevisions } from './use-agent';
import './agents.css';

/** All revisions beside the one that is looked at. */
export function RevisionsTab({ agent }: { agent: Agent }) {
  const query = useRevisions(agent.agent_id);
  const { revision: chosen } = useSearch({ from: '/agents/$agentId' });
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const mayWrite = useMay()('agents:write');
  const show = (buildId: string, isSafe = false) =>
    void navigate({
      search: (before) => ({ ...before, revision: buildId }),
      replace: true,
      ignoreBlocker: isSafe,
    });
  return (
    <Loaded query={query}>
      {(builds) => {
        const live = builds.find(({ status }) => status === 'live') ?? builds[0]!;
        const shown = builds.find(({ build_id }) => build_id === chosen) ?? live;
        return (
          <div className="agent-layout">
            <Card title="Revisions" flush actions={mayWrite && <NewDraft agent={agent} onMade={show} />}>
              <ul className="revision-list">
                {builds.map((build) => (
                  <li key={build.build_id}>
                    <RevisionButton
                      build={build}
                      isShown={build === shown}
                      onShow={() => show(build.build_id)}
                    />
                  </li>
                ))}
              </ul>
              {mayWrite && (
                <div className="revision-foot">
                  <RollBack agent={agent} canRoll={builds.some(({ status }) => status === 'historic')} />
                </div>
              )}
            </Card>
            <RevisionView key={shown.build_id} build={shown} builds={builds} onShow={show} />
          </div>
        );
      }}
    </Loaded>
  );
}

function RevisionButton({ build, isShown, onShow }: { build: Build; isShown: boolean; onShow: () => void }) {
  return (
    <button
      type="button"
      className="revision-button"
      aria-current={isShown ? 'true' : undefined}
      onClick={onShow}
    >
      <span className="row between">
        <strong>
          {build.revision_number}. {build.revision_name ?? build.name}
        </strong>
        <Status of={build.status} />
      </span>
      <span className="small quiet">
        changed <Ago at={build.updated_at} />
      </span>
    </button>
  );
}

function NewDraft({ agent, onMade }: { agent: Agent; onMade: (buildId: string) => void }) {
  const client = useClient();
  const make = useAction(client.createRevision, {
    stale: [['agent', agent.agent_id], ['agents']],
    said: 'A draft is made; it is a copy of the live revision.',
    onDone: ({ build_id: buildId }) => onMade(buildId),
  });
  return (
    <button
      type="button"
      className="button small"
      disabled={make.isPending}
      onClick={() => make.mutate({ agent_id: agent.agent_id })}
    >
      New draft
    </button>
  );
}

function RollBack({ agent, canRoll }: { agent: Agent; canRoll: boolean }) {
  const client = useClient();
  const roll = useAction(client.rollbackAgent, {
    stale: [['agent', agent.agent_id], ['agents']],
    said: ({ build }) => `Revision ${build.revision_number} is live again.`,
  });
  return (
    <ConfirmButton
      label="Roll back"
      className="button small"
      title="Roll back?"
      confirm="Roll back"
      disabled={!canRoll || roll.isPending}
      onConfirm={() => roll.mutate({ agent_id: agent.agent_id })}
    >
      The revision that was live before becomes live again. Runs at work keep the one they began with.
    </ConfirmButton>
  );
}

import type { Artifact } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { LineForm } from '../ui/controls';
import { Card, Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Ago } from '../ui/time';
import { ArtifactView } from './artifact-view';
import './artifacts.css';

/** Pages that a model has made, each in a frame that it cannot leave. */
export function ArtifactsPage() {
  const client = useClient();
  const mayWrite = useMay()('artifacts:write');
  const { artifact: wanted } = useSearch({ from: '/artifacts' });
  const navigate = useNavigate({ from: '/artifacts' });
  const query = useQuery({
    queryKey: ['artifacts', 'all'],
    queryFn: () => gather(client.each.listArtifacts({ limit: 100 })),
  });
  const show = (artifact: string | undefined) => void navigate({ search: artifact ? { artifact } : {} });
  return (
    <Page
      title="Artifacts"
      intro="Pages made from the figures of the team, by a sentence that says what they are to show."
    >
      {mayWrite && <NewArtifact onMade={show} />}
      <Loaded query={query}>
        {(artifacts) => {
          if (artifacts.length === 0) {
            return (
              <div className="card">
                <Empty title="No page yet">
                  <p>
                    Say above what you want to see: “how many runs failed this week, by agent”. It is made in
                    seconds.
                  </p>
                </Empty>
              </div>
            );
          }
          // The one of the address, also where it is beyond the list or gone: then it says so itself.
          const shown = wanted ?? artifacts[0]!.artifact_id;
          return (
            <div className="artifact-layout">
              <Card title="Pages" flush>
                <ul>
                  {artifacts.map((artifact) => (
                    <li key={artifact.artifact_id}>
                      <ArtifactButton
                        artifact={artifact}
                        isShown={artifact.artifact_id === shown}
                        onShow={() => show(artifact.artifact_id)}
                      />
                    </li>
                  ))}
                </ul>
              </Card>
              <ArtifactView key={shown} artifactId={shown} onGone={() => show(undefined)} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function ArtifactButton({
  artifact,
  isShown,
  onShow,
}: {
  artifact: Artifact;
  isShown: boolean;
  onShow: () => void;
}) {
  return (
    <button
      type="button"
      className="artifact-button"
      aria-current={isShown ? 'true' : undefined}
      onClick={onShow}
    >
      <strong className="cut">{artifact.title ?? 'Untitled'}</strong>
      <span className="row small quiet">
        <Status of={artifact.status} /> {artifact.visibility} · <Ago at={artifact.updated_at} />
      </span>
    </button>
  );
}

function NewArtifact({ onMade }: { onMade: (artifactId: string) => void }) {
  const client = useClient();
  const [message, setMessage] = useState('');
  const make = useAction(client.createArtifact, {
    stale: [['artifacts']],
    onDone: ({ artifact_id: artifactId }) => {
      setMessage('');
      onMade(artifactId);
    },
  });
  return (
    <LineForm
      label="What the page is to show"
      value={message}
      onChange={setMessage}
      submit="Make it"
      className="button primary"
      disabled={make.isPending}
      onSubmit={() => make.mutate({ message, visibility: 'team' })}
    />
  );
}

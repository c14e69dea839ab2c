import type { Artifact } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { DeleteButton } from '../ui/confirm';
import { LineForm } from '../ui/controls';
import { Snippet } from '../ui/copy';
import { Menu } from '../ui/menu';
import { Card } from '../ui/page';
import { AnswerForm } from '../ui/question-fields';
import { Loaded } from '../ui/states';
import { ConfinedPage } from './confined-page';
import { RevisionsCard } from './revisions-card';
import { ShareDialog } from './share-dialog';

/** No event tells of pages, which take seconds; only while one is being made it is looked at. */
const lookMs = 1_000;
const atWork: readonly Artifact['status'][] = ['not_started', 'pending', 'running'];

export function ArtifactView({ artifactId, onGone }: { artifactId: string; onGone: () => void }) {
  const client = useClient();
  const mayWrite = useMay()('artifacts:write');
  const query = useQuery({
    queryKey: ['artifacts', artifactId, 'head'],
    queryFn: async () => (await client.getArtifact({ artifactId })).artifact,
    refetchInterval: ({ state }) => (state.data && atWork.includes(state.data.status) ? lookMs : false),
  });
  return (
    <Loaded query={query}>
      {(artifact) => (
        <div className="stack">
          <Card
            title={artifact.title ?? 'Untitled'}
            flush
            actions={mayWrite && <ArtifactActions artifact={artifact} onGone={onGone} />}
          >
            {atWork.includes(artifact.status) && (
              <p className="banner live" role="status">
                It is being made.
              </p>
            )}
            {artifact.error && <p className="banner bad">{artifact.error.message}</p>}
            {artifact.pending_user_questions && mayWrite && <ArtifactQuestions artifact={artifact} />}
            {artifact.current_version !== null && <CurrentPage artifact={artifact} />}
          </Card>
          {artifact.public_url && (
            <Card title="Anybody with this address sees it">
              <Snippet text={artifact.public_url} />
            </Card>
          )}
          {mayWrite && <ChangeForm artifact={artifact} />}
          <RevisionsCard artifact={artifact} />
        </div>
      )}
    </Loaded>
  );
}

function CurrentPage({ artifact }: { artifact: Artifact }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['artifacts', artifact.artifact_id, 'page', artifact.current_version],
    // With a separate origin for pages, this one offers downloads only.
    queryFn: async () => (await client.exportArtifactHtml({ artifactId: artifact.artifact_id })).text(),
  });
  return (
    <Loaded query={query}>
      {(html) => <ConfinedPage html={html} title={artifact.title ?? 'Untitled'} />}
    </Loaded>
  );
}

function ArtifactActions({ artifact, onGone }: { artifact: Artifact; onGone: () => void }) {
  const client = useClient();
  const input = { artifactId: artifact.artifact_id };
  const stale = [['artifacts']];
  const [isSharing, setSharing] = useState(false);
  const refresh = useAction(client.refreshArtifact, { stale });
  const update = useAction(client.updateArtifact, { stale, said: 'Changed.' });
  const copy = useAction(client.duplicateArtifact, { stale, said: 'Copied.' });
  const stop = useAction(client.stopArtifact, { stale });
  const remove = useAction(client.deleteArtifact, { stale, said: 'Deleted.', onDone: onGone });
  return (
    <>
      {atWork.includes(artifact.status) ? (
        <button
          type="button"
          className="button small"
          disabled={stop.isPending}
          onClick={() => stop.mutate(input)}
        >
          Stop
        </button>
      ) : (
        <button
          type="button"
          className="button small"
          disabled={refresh.isPending}
          onClick={() => refresh.mutate(input)}
        >
          Refresh
        </button>
      )}
      <Menu
        label="More"
        disabled={update.isPending || copy.isPending}
        items={[
          { label: 'Share', onSelect: () => setSharing(true) },
          { label: 'Copy it', onSelect: () => copy.mutate(input) },
          {
            label: artifact.refresh_frequency === 'daily' ? 'No longer daily' : 'Refresh it daily',
            onSelect: () =>
              update.mutate({
                ...input,
                refresh_frequency: artifact.refresh_frequency === 'daily' ? null : 'daily',
              }),
          },
        ]}
      />
      {isSharing && <ShareDialog artifact={artifact} onClose={() => setSharing(false)} />}
      <DeleteButton of="this page" disabled={remove.isPending} onConfirm={() => remove.mutate(input)}>
        With all that was said about it, and its revisions.
      </DeleteButton>
    </>
  );
}

function ArtifactQuestions({ artifact }: { artifact: Artifact }) {
  const client = useClient();
  const answer = useAction(client.answerArtifact, { stale: [['artifacts']] });
  return (
    <AnswerForm
      className="stack padded"
      questions={artifact.pending_user_questions?.questions ?? []}
      isBusy={answer.isPending}
      onAnswer={(answers) => answer.mutate({ artifactId: artifact.artifact_id, answers })}
    />
  );
}

function ChangeForm({ artifact }: { artifact: Artifact }) {
  const client = useClient();
  const [message, setMessage] = useState('');
  const post = useAction(client.postArtifactMessage, {
    stale: [['artifacts']],
    onDone: () => setMessage(''),
  });
  return (
    <LineForm
      label="What is to change"
      value={message}
      onChange={setMessage}
      submit="Change it"
      disabled={post.isPending || atWork.includes(artifact.status)}
      onSubmit={() => post.mutate({ artifactId: artifact.artifact_id, message })}
    />
  );
}

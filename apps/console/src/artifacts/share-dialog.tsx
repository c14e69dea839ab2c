import type { Artifact } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { FormDialog } from '../ui/form-dialog';
import { Failure } from '../ui/states';

type Visibility = Artifact['visibility'];

const choices: readonly { readonly value: Visibility; readonly label: string }[] = [
  { value: 'private', label: 'Private: only you' },
  { value: 'team', label: 'Team: everybody in the team' },
  { value: 'public', label: 'Public: anybody who has the address, without signing in' },
];

/** Chooses who sees an artifact. */
export function ShareDialog({ artifact, onClose }: { artifact: Artifact; onClose: () => void }) {
  const client = useClient();
  const present = artifact.visibility === 'organization' ? 'team' : artifact.visibility;
  const [visibility, setVisibility] = useState<Visibility>(present);
  const publish = useAction(client.publishArtifact, {
    stale: [['artifacts']],
    said: ({ visibility: now }) => (now === 'public' ? 'It has an address now.' : 'Changed.'),
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Who sees this page"
      submit="Share it"
      disabled={publish.isPending}
      onSubmit={() =>
        publish.mutate({ artifactId: artifact.artifact_id, visibility, permission: artifact.permission })
      }
      onClose={onClose}
    >
      <fieldset className="choice-list">
        <legend className="legend">Visibility</legend>
        {choices.map(({ value, label }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name="visibility"
              checked={visibility === value}
              disabled={value === 'public' && artifact.current_version === null}
              onChange={() => setVisibility(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {artifact.visibility === 'public' && visibility !== 'public' && (
        <p className="banner">The address that was given out never works again.</p>
      )}
      {publish.isError && <Failure error={publish.error} />}
    </FormDialog>
  );
}

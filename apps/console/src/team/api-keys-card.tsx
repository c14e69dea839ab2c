import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { ResourceCard } from '../ui/resource-card';
import { Ago, Moment } from '../ui/time';
import { NewCredentialDialog, scopesText } from './new-credential-dialog';

export function ApiKeysCard() {
  const client = useClient();
  const [isMaking, setMaking] = useState(false);
  const query = useQuery({ queryKey: ['keys', 'api'], queryFn: () => gather(client.each.listApiKeys({})) });
  const make = useAction(client.createApiKey, { stale: [['keys', 'api']] });
  const revoke = useAction(client.deleteApiKey, { stale: [['keys', 'api']], said: 'The key is revoked.' });
  const close = () => {
    setMaking(false);
    make.reset();
  };
  return (
    <ResourceCard
      title="API keys"
      query={query}
      add={
        <button type="button" className="button" onClick={() => setMaking(true)}>
          New key
        </button>
      }
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'May', className: 'small', cell: ({ scopes }) => scopesText(scopes) },
        { title: 'Made', className: 'quiet nowrap', cell: ({ created_at: made }) => <Ago at={made} /> },
        {
          title: 'Ends',
          className: 'quiet nowrap',
          cell: ({ expires_at: end }) => (end === null ? 'never' : <Moment at={end} />),
        },
      ]}
      actions={({ id, name }) => (
        <ConfirmButton
          label="Revoke"
          className="button small danger"
          title={`Revoke ${name}?`}
          confirm="Revoke it"
          disabled={revoke.isPending}
          onConfirm={() => revoke.mutate({ keyId: id })}
        >
          Whoever uses it is refused within a second. If it is the one that you are signed in with, you are
          signed out.
        </ConfirmButton>
      )}
    >
      {isMaking && (
        <NewCredentialDialog
          title="New API key"
          canExpire
          isBusy={make.isPending}
          made={make.data?.api_key.key}
          onMake={make.mutate}
          onClose={close}
        />
      )}
    </ResourceCard>
  );
}

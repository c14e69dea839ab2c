import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { DeleteButton } from '../ui/confirm';
import { Snippet } from '../ui/copy';
import { ResourceCard } from '../ui/resource-card';
import { Empty } from '../ui/states';
import { Ago } from '../ui/time';
import { NewCredentialDialog, scopesText } from './new-credential-dialog';

export function OAuthClientsCard() {
  const client = useClient();
  const [isMaking, setMaking] = useState(false);
  const stale = [['keys', 'oauth']];
  const query = useQuery({ queryKey: stale[0]!, queryFn: () => gather(client.each.listOAuthClients({})) });
  const make = useAction(client.createOAuthClient, { stale });
  const remove = useAction(client.deleteOAuthClient, { stale, said: 'The client is deleted.' });
  const close = () => {
    setMaking(false);
    make.reset();
  };
  return (
    <ResourceCard
      title="OAuth clients"
      query={query}
      add={
        <button type="button" className="button" onClick={() => setMaking(true)}>
          New client
        </button>
      }
      empty={
        <Empty title="No OAuth client">
          <p>
            A program that speaks OAuth gets tokens for an hour at /oauth/token with an id and a secret (grant
            client_credentials), instead of a key that stays.
          </p>
        </Empty>
      }
      keyOf={({ client_id: clientId }) => clientId}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Client id', className: 'mono', cell: ({ client_id: clientId }) => clientId },
        { title: 'May', className: 'small', cell: ({ scopes }) => scopesText(scopes) },
        { title: 'Made', className: 'quiet nowrap', cell: ({ created_at: made }) => <Ago at={made} /> },
      ]}
      actions={({ client_id: clientId, name }) => (
        <DeleteButton of={name} disabled={remove.isPending} onConfirm={() => remove.mutate({ clientId })}>
          Its tokens stop working within a second.
        </DeleteButton>
      )}
    >
      {isMaking && (
        <NewCredentialDialog
          title="New OAuth client"
          canExpire={false}
          isBusy={make.isPending}
          made={make.data?.oauth_client.client_secret}
          extra={make.data && <Snippet text={make.data.client_id} label="Copy the client id" />}
          onMake={({ name, scopes }) => make.mutate({ name, ...(scopes ? { scopes } : {}) })}
          onClose={close}
        />
      )}
    </ResourceCard>
  );
}

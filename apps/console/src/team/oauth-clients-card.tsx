import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Snippet } from '../ui/copy';
import { Card } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Ago } from '../ui/time';
import { NewCredentialDialog } from './new-credential-dialog';

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
    <Card
      title="OAuth clients"
      flush
      actions={
        <button type="button" className="button" onClick={() => setMaking(true)}>
          New client
        </button>
      }
    >
      <Loaded query={query}>
        {(clients) =>
          clients.length === 0 ? (
            <Empty title="No OAuth client">
              <p>
                A program that speaks OAuth gets tokens for an hour at /oauth/token with an id and a secret
                (grant client_credentials), instead of a key that stays.
              </p>
            </Empty>
          ) : (
            <div className="scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>Client id</th>
                    <th>May</th>
                    <th>Made</th>
                    <th>
                      <span className="unseen">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {clients.map(({ client_id: clientId, name, scopes, created_at: made }) => (
                    <tr key={clientId}>
                      <td>{name}</td>
                      <td className="mono">{clientId}</td>
                      <td className="small">{scopes.includes('*') ? 'everything' : scopes.join(', ')}</td>
                      <td className="quiet nowrap">
                        <Ago at={made} />
                      </td>
                      <td className="right">
                        <ConfirmButton
                          label="Delete"
                          className="button small danger"
                          title={`Delete ${name}?`}
                          confirm="Delete it"
                          disabled={remove.isPending}
                          onConfirm={() => remove.mutate({ clientId })}
                        >
                          Its tokens stop working within a second.
                        </ConfirmButton>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
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
    </Card>
  );
}

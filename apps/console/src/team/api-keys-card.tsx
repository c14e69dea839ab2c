import type { ApiKey } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Card } from '../ui/page';
import { Loaded } from '../ui/states';
import { Ago, Moment } from '../ui/time';
import { NewCredentialDialog } from './new-credential-dialog';

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
    <Card
      title="API keys"
      flush
      actions={
        <button type="button" className="button" onClick={() => setMaking(true)}>
          New key
        </button>
      }
    >
      <Loaded query={query}>
        {(keys) => (
          <div className="scroll">
            <table className="table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>May</th>
                  <th>Made</th>
                  <th>Ends</th>
                  <th>
                    <span className="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {keys.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    isBusy={revoke.isPending}
                    onRevoke={() => revoke.mutate({ keyId: key.id })}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
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
    </Card>
  );
}

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly isBusy: boolean;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey, isBusy, onRevoke }: KeyRowProps) {
  const { name, scopes, created_at: made, expires_at: end } = apiKey;
  return (
    <tr>
      <td>{name}</td>
      <td className="small">{scopes.includes('*') ? 'everything' : scopes.join(', ')}</td>
      <td className="quiet nowrap">
        <Ago at={made} />
      </td>
      <td className="quiet nowrap">{end === null ? 'never' : <Moment at={end} />}</td>
      <td className="right">
        <ConfirmButton
          label="Revoke"
          className="button small danger"
          title={`Revoke ${name}?`}
          confirm="Revoke it"
          disabled={isBusy}
          onConfirm={onRevoke}
        >
          Whoever uses it is refused within a second. If it is the one that you are signed in with, you are
          signed out.
        </ConfirmButton>
      </td>
    </tr>
  );
}

import type { Connection } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { DialogForm } from '../ui/form-dialog';
import { ConsentLink } from './consent-link';
import { SecretFields } from './secret-fields';

/** Mends a connection, which keeps its id, so that agents need no change. */
export function ReconnectDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  return (
    <Dialog title={`Reconnect ${connection.name}`} onClose={onClose}>
      {connection.auth_method === 'oauth' ? (
        <NewConsent connection={connection} />
      ) : (
        <NewSecret connection={connection} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NewConsent({ connection }: { connection: Connection }) {
  const client = useClient();
  const start = useAction(
    ({ type, provider, server_url, connection_id }: Connection) =>
      type === 'native'
        ? client.startNativeOAuth({ provider, reconnect_connection_id: connection_id })
        : client.authorizeMcpOAuth({ mcp_server_url: server_url, reconnect_connection_id: connection_id }),
    { stale: [['connections']] },
  );
  if (start.data) return <ConsentLink url={start.data.authorization_url} />;
  return (
    <>
      <p className="quiet">You consent once more at the provider.</p>
      <div className="foot">
        <button
          type="button"
          className="button primary"
          disabled={start.isPending}
          onClick={() => start.mutate(connection)}
        >
          {start.isPending ? 'Asking…' : 'Begin'}
        </button>
      </div>
    </>
  );
}

function NewSecret({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const client = useClient();
  const [secret, setSecret] = useState('');
  const [header, setHeader] = useState('Authorization');
  const save = useAction(client.updateConnection, {
    stale: [['connections']],
    said: 'Reconnected.',
    onDone: onClose,
  });
  const submit = () =>
    save.mutate({
      connection_id: connection.connection_id,
      ...(connection.auth_method === 'apikey' ? { api_key: secret } : { headers: { [header]: secret } }),
    });
  return (
    <DialogForm submit="Save" disabled={save.isPending} onSubmit={submit}>
      <SecretFields method={connection.auth_method} {...{ header, setHeader, secret, setSecret }} />
    </DialogForm>
  );
}

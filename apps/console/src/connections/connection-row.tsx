import type { Connection } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Status } from '../ui/status';
import { Ago } from '../ui/time';
import { ProbeDialog } from './probe-dialog';
import { ReconnectDialog } from './reconnect-dialog';

const methods: Readonly<Record<Connection['auth_method'], string>> = {
  oauth: 'OAuth',
  apikey: 'a key',
  headers: 'headers',
  url: 'its address',
  none: 'nothing',
};

export function ConnectionRow({ connection }: { connection: Connection }) {
  const client = useClient();
  const [dialog, setDialog] = useState<'probe' | 'reconnect'>();
  const close = () => setDialog(undefined);
  const remove = useAction(client.deleteConnection, {
    stale: [['connections']],
    said: ({ message }) => message,
  });
  return (
    <tr>
      <td>
        <strong>{connection.name}</strong>
        <div className="small quiet">{connection.server_url}</div>
      </td>
      <td>
        <Status of={connection.status} />
        {connection.broken_reason && <div className="small">{connection.broken_reason}</div>}
      </td>
      <td className="quiet">{methods[connection.auth_method]}</td>
      <td className="quiet nowrap">
        <Ago at={connection.updated_at} />
      </td>
      <td>
        <div className="row">
          {connection.auth_method === 'none' && (
            <button type="button" className="button small" onClick={() => setDialog('probe')}>
              Probe
            </button>
          )}
          {connection.auth_method !== 'none' && (
            <button type="button" className="button small" onClick={() => setDialog('reconnect')}>
              Reconnect
            </button>
          )}
          <ConfirmButton
            label="Delete"
            className="button small danger"
            title={`Delete ${connection.name}?`}
            confirm="Delete it"
            disabled={remove.isPending}
            onConfirm={() => remove.mutate({ connection_id: connection.connection_id })}
          >
            Runs that need it fail from now on. Its tokens are revoked where the provider takes that.
          </ConfirmButton>
        </div>
        {dialog === 'probe' && <ProbeDialog serverUrl={connection.server_url} onClose={close} />}
        {dialog === 'reconnect' && <ReconnectDialog connection={connection} onClose={close} />}
      </td>
    </tr>
  );
}

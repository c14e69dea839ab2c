import type { Connection } from '@aos/client';
import { useState } from 'react';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { DeleteButton } from '../ui/confirm';
import { Failure } from '../ui/states';
import { Ago } from '../ui/time';
import { healthOf } from './health';
import { ReconnectDialog } from './reconnect-dialog';
import { ToolNames } from './tool-list';
import { useCheck } from './use-check';

const methods: Readonly<Record<Connection['auth_method'], string>> = {
  oauth: 'OAuth',
  apikey: 'a key',
  headers: 'headers',
  url: 'its address',
  none: 'nothing',
};

export function ConnectionRow({ connection }: { connection: Connection }) {
  const client = useClient();
  const mayWrite = useMay()('connections:write');
  const [isReconnecting, setReconnecting] = useState(false);
  const check = useCheck(connection);
  const remove = useAction(client.deleteConnection, {
    stale: [['connections']],
    said: ({ message }) => message,
  });
  const { tone, word, detail } = healthOf(connection, check.data);
  const tools = check.data?.answer.tools ?? [];
  return (
    <tr>
      <td>
        <strong>{connection.name}</strong>
        <div className="small quiet">{connection.server_url}</div>
      </td>
      <td>
        <span className={`badge ${tone}`}>{word}</span>
        {detail && <div className="small">{detail}</div>}
        {check.data && (
          <div className="small quiet">
            checked <Ago at={check.data.at} />
          </div>
        )}
        {tools.length > 0 && (
          <details className="small">
            <summary>Tools</summary>
            <ToolNames tools={tools} />
          </details>
        )}
        {check.isError && <Failure error={check.error} />}
      </td>
      <td className="quiet">{methods[connection.auth_method]}</td>
      <td className="quiet nowrap">
        <Ago at={connection.updated_at} />
      </td>
      <td>
        {mayWrite && (
          <div className="row">
            {connection.type === 'custom_mcp' && connection.status === 'active' && (
              <button
                type="button"
                className="button small"
                disabled={check.isFetching}
                onClick={() => void check.refetch()}
              >
                {check.isFetching ? 'Checking…' : 'Check'}
              </button>
            )}
            {connection.auth_method !== 'none' && (
              <button type="button" className="button small" onClick={() => setReconnecting(true)}>
                Reconnect
              </button>
            )}
            <DeleteButton
              of={connection.name}
              disabled={remove.isPending}
              onConfirm={() => remove.mutate({ connection_id: connection.connection_id })}
            >
              Runs that need it fail from now on. Its tokens are revoked where the provider takes that.
            </DeleteButton>
          </div>
        )}
        {isReconnecting && <ReconnectDialog connection={connection} onClose={() => setReconnecting(false)} />}
      </td>
    </tr>
  );
}

import type { Connection } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { DialogForm } from '../ui/form-dialog';
import { ConsentLink } from './consent-link';
import { SecretFields } from './secret-fields';
import { ToolList } from './tool-list';

const methods: readonly (readonly [Connection['auth_method'], string])[] = [
  ['oauth', 'OAuth: I consent at the server'],
  ['apikey', 'A key, sent as a bearer'],
  ['headers', 'A header'],
  ['none', 'Nothing'],
];

/** A new connection to an MCP server: look at it first, then choose how to sign in. */
export function ConnectMcpDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<Connection['auth_method']>();
  const [secret, setSecret] = useState('');
  const [header, setHeader] = useState('Authorization');
  const check = useAction(client.checkMcpOAuth);
  const probe = useAction(client.probeMcpServer);
  // Clears the result of the previous address.
  const checked = check.variables?.mcp_server_url === url ? check.data : undefined;
  const probed = probe.variables?.server_url === url ? probe.data : undefined;
  // The server only proposes: what a person has chosen stays.
  const method = chosen ?? (checked?.supports_oauth ? 'oauth' : 'none');
  const credentials =
    method === 'apikey' ? { api_key: secret } : method === 'headers' ? { headers: { [header]: secret } } : {};
  const consent = useAction(client.authorizeMcpOAuth, { stale: [['connections']] });
  const create = useAction(client.createConnection, {
    stale: [['connections']],
    said: 'Connected.',
    onDone: onClose,
  });
  const submit = () => {
    if (method === 'oauth') consent.mutate({ mcp_server_url: url, name });
    else create.mutate({ name, type: 'custom_mcp', server_url: url, auth_method: method, ...credentials });
  };
  if (consent.data) {
    return (
      <Dialog title="Consent" onClose={onClose}>
        <ConsentLink url={consent.data.authorization_url} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Connect an MCP server" onClose={onClose}>
      <DialogForm
        submit="Connect"
        disabled={create.isPending || consent.isPending}
        onSubmit={submit}
        buttons={
          method !== 'oauth' && (
            <button
              type="button"
              className="button"
              disabled={url === '' || probe.isPending}
              onClick={() => probe.mutate({ server_url: url, ...credentials })}
            >
              {probe.isPending ? 'Asking…' : 'Probe'}
            </button>
          )
        }
      >
        <TextField
          label="Name"
          hint="Its tools are named after it."
          required
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <TextField
          label="Address"
          className="input mono"
          type="url"
          required
          placeholder="https://mcp.example.com/mcp"
          value={url}
          onChange={setUrl}
          onBlur={() => !checked && URL.canParse(url) && check.mutate({ mcp_server_url: url })}
        />
        {checked && (
          <p className="hint" role="status">
            {checked.error ??
              (checked.supports_oauth ? 'It is protected by OAuth.' : 'It does not ask for OAuth.')}
          </p>
        )}
        <fieldset className="stack tight">
          <legend className="legend">Signs in by</legend>
          {methods.map(([value, label]) => (
            <label key={value} className="choice">
              <input
                type="radio"
                name="method"
                checked={method === value}
                onChange={() => setChosen(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        {(method === 'apikey' || method === 'headers') && (
          <SecretFields method={method} {...{ header, setHeader, secret, setSecret }} />
        )}
        {probed && <ToolList answer={probed} />}
      </DialogForm>
    </Dialog>
  );
}

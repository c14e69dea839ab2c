import type { Plugin } from '@aos/client';
import { useState } from 'react';
import { useCatalog } from '../data/lookups/use-connections';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { Card } from '../ui/page';
import { Loaded } from '../ui/states';
import { ConsentLink } from './consent-link';

/** The providers that this installation knows. */
export function ConnectorsCard() {
  const query = useCatalog();
  return (
    <Card title="Providers">
      <Loaded query={query}>
        {({ plugins }) => (
          <ul className="stack tight">
            {plugins
              .filter(({ type }) => type === 'connector')
              .map((plugin) => (
                <ProviderRow key={plugin.name} plugin={plugin} />
              ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

function ProviderRow({ plugin }: { plugin: Plugin }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMay()('connections:write');
  const start = useAction(client.startNativeOAuth, { stale: [['connections']], onDone: () => setOpen(true) });
  return (
    <li className="row between unwrapped">
      <span>
        {plugin.title} <span className="small quiet">{plugin.description}</span>
      </span>
      {plugin.configured ? (
        mayWrite && (
          <button
            type="button"
            className="button small"
            disabled={start.isPending}
            onClick={() => start.mutate({ provider: plugin.name })}
          >
            Connect
          </button>
        )
      ) : (
        <span
          className="small quiet nowrap"
          title="An operator sets the client id and secret of the provider."
        >
          not set up
        </span>
      )}
      {isOpen && start.data && (
        <Dialog title={`Connect ${plugin.title}`} onClose={() => setOpen(false)}>
          <ConsentLink url={start.data.authorization_url} />
        </Dialog>
      )}
    </li>
  );
}

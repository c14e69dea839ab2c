import { useState } from 'react';
import { useConnections } from '../data/lookups/use-connections';
import { useMay } from '../session/session-context';
import { Card, Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { ConnectMcpDialog } from './connect-mcp-dialog';
import { ConnectionRow } from './connection-row';
import { ConnectorsCard } from './connectors-card';
import { McpClientsCard } from './mcp-clients-card';

export function ConnectionsPage() {
  const [isConnecting, setConnecting] = useState(false);
  const query = useConnections();
  const mayWrite = useMay()('connections:write');
  const connect = mayWrite && (
    <button type="button" className="button primary" onClick={() => setConnecting(true)}>
      Connect an MCP server
    </button>
  );
  return (
    <Page
      title="Connections"
      intro="What agents may use outside: MCP servers and providers. Secrets are never shown again."
      actions={connect}
    >
      <Card title="Connected" flush>
        <Loaded query={query}>
          {(connections) =>
            connections.length === 0 ? (
              <Empty title="Nothing is connected yet">
                <p>
                  Connect an MCP server or a provider; then give it to an agent in its revision, and its tools
                  are there.
                </p>
                {connect}
              </Empty>
            ) : (
              <div className="scroll">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Health</th>
                      <th>Signs in by</th>
                      <th>Changed</th>
                      <th>
                        <span className="unseen">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {connections.map((connection) => (
                      <ConnectionRow key={connection.connection_id} connection={connection} />
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </Card>
      <div className="columns">
        <ConnectorsCard />
        <McpClientsCard />
      </div>
      {isConnecting && <ConnectMcpDialog onClose={() => setConnecting(false)} />}
    </Page>
  );
}

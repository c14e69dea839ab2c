import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { basePath } from '../session/base-path';
import { Snippet } from '../ui/copy';
import { Card } from '../ui/page';
import { Tabs } from '../ui/tabs';
import { mcpClients } from './mcp-clients';

/** The other way round: this service as an MCP server. */
export function McpClientsCard() {
  const clients = mcpClients(window.location.origin + basePath);
  const [shown, setShown] = useState(clients[0]!.id);
  return (
    <Card title="Use this service from an MCP client">
      <div className="stack">
        <p className="quiet">
          All that you can do here is a tool there: start runs, answer questions, work on queues. Make a key
          for it under <Link to="/keys">Keys</Link> with mcp:call and what it is to do, and put it in place of
          YOUR_KEY.
        </p>
        <Tabs
          label="MCP clients"
          shown={shown}
          onShow={setShown}
          tabs={clients.map(({ id, name, where, text }) => ({
            name: id,
            label: name,
            content: (
              <div className="stack tight">
                <span className="small quiet">{where}</span>
                <Snippet text={text} />
              </div>
            ),
          }))}
        />
      </div>
    </Card>
  );
}

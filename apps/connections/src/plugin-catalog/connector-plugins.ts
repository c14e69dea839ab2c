import type { Plugin } from '@aos/contracts';
import type { ConfiguredProvider } from '../providers/provider.js';

/** A native connector; with a client id people can consent to it. */
export function connectorPlugin({ name, title, description, clientId }: ConfiguredProvider): Plugin {
  return {
    name,
    type: 'connector',
    title,
    description,
    tools: [
      {
        name: 'http_request',
        description: `Calls the API of ${title} with the credentials of the connection.`,
      },
    ],
    configured: clientId !== undefined,
  };
}

/** Any MCP server; which tools it has, it says itself. */
export const mcpPlugin: Plugin = {
  name: 'custom_mcp',
  type: 'mcp',
  title: 'MCP server',
  description: 'The tools of any MCP server over streamable HTTP.',
  tools: [],
  configured: true,
};

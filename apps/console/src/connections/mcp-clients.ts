/** How the common MCP clients are told of this service. */
export interface McpClient {
  readonly id: string;
  readonly name: string;
  readonly where: string;
  readonly text: string;
}

export function mcpClients(origin: string): McpClient[] {
  const url = `${origin}/v2/mcp`;
  const headers = { Authorization: 'Bearer YOUR_KEY' };
  const json = (value: object) => JSON.stringify(value, null, 2);
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      where: 'In a terminal',
      text: `claude mcp add --transport http agent-operations ${url} --header "Authorization: Bearer YOUR_KEY"`,
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      where: '.vscode/mcp.json',
      text: json({ servers: { 'agent-operations': { type: 'http', url, headers } } }),
    },
    {
      id: 'cursor',
      name: 'Cursor',
      where: '~/.cursor/mcp.json',
      text: json({ mcpServers: { 'agent-operations': { url, headers } } }),
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      where: 'claude_desktop_config.json',
      text: json({
        mcpServers: {
          'agent-operations': {
            command: 'npx',
            args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
            env: { AUTHORIZATION: headers.Authorization },
          },
        },
      }),
    },
    {
      id: 'another',
      name: 'Another one',
      where: 'Streamable HTTP, with a header',
      text: `Address: ${url}\nHeader:  Authorization: Bearer YOUR_KEY`,
    },
  ];
}

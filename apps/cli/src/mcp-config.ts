export interface McpEndpoint {
  readonly baseUrl: string;
  readonly key: string;
  readonly toolsets?: string;
}

export interface McpConfig {
  /** The target file; undefined prints a command. */
  readonly file?: string;
  readonly text: string;
  readonly value: unknown;
}

const serverName = 'agents';

const makers: Readonly<Record<string, (url: string, headers: Record<string, string>) => McpConfig>> = {
  'claude-code': (url, { Authorization }) => {
    const header = `Authorization: ${Authorization}`;
    const command = `claude mcp add --transport http ${serverName} ${quoted(url)} --header ${quoted(header)}`;
    return { text: command, value: { command } };
  },
  // It speaks to programs only; one without blanks, at which it would split the argument.
  'claude-desktop': (url, { Authorization }) =>
    inFile('claude_desktop_config.json', {
      mcpServers: {
        [serverName]: {
          command: 'npx',
          args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
          env: { AUTHORIZATION: Authorization },
        },
      },
    }),
  cursor: (url, headers) => inFile('.cursor/mcp.json', { mcpServers: { [serverName]: { url, headers } } }),
  vscode: (url, headers) =>
    inFile('.vscode/mcp.json', { servers: { [serverName]: { type: 'http', url, headers } } }),
  json: (url, headers) => inFile(undefined, { url, headers }),
};

/** Clients whose form of configuration is known. */
export const mcpClients = Object.keys(makers);

export function mcpConfig(client: string, { baseUrl, key, toolsets }: McpEndpoint): McpConfig | undefined {
  const query =
    toolsets === undefined ? '' : `?toolsets=${encodeURIComponent(toolsets).replaceAll('%2C', ',')}`;
  const url = `${baseUrl.replace(/\/$/, '')}/v2/mcp${query}`;
  return Object.hasOwn(makers, client) ? makers[client]!(url, { Authorization: `Bearer ${key}` }) : undefined;
}

function inFile(file: string | undefined, value: object): McpConfig {
  return { file, text: JSON.stringify(value, null, 2), value };
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

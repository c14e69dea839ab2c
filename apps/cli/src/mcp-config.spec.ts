import { mcpClients, mcpConfig } from './mcp-config.js';

const endpoint = { baseUrl: 'https://agents.example.com/', key: 'a-key' };

describe('mcpConfig', () => {
  it.each(mcpClients)('%s: has the address and the key', (client) => {
    const { text } = mcpConfig(client, { ...endpoint, toolsets: 'runs,queues' })!;
    expect(text).toContain('https://agents.example.com/v2/mcp?toolsets=runs,queues');
    expect(text).toContain('Bearer a-key');
  });

  it('is a file that an editor reads', () => {
    const { file, text } = mcpConfig('vscode', endpoint)!;
    expect(file).toBe('.vscode/mcp.json');
    expect(JSON.parse(text)).toEqual({
      servers: {
        agents: {
          type: 'http',
          url: 'https://agents.example.com/v2/mcp',
          headers: { Authorization: 'Bearer a-key' },
        },
      },
    });
  });

  it('is a command whose words a shell leaves whole', () => {
    const { text } = mcpConfig('claude-code', { ...endpoint, toolsets: "runs'; reboot" })!;
    expect(text).toContain(String.raw`/v2/mcp?toolsets=runs'\''%3B%20reboot' --header`);
  });

  it('knows no other clients', () => {
    expect(mcpConfig('toString', endpoint)).toBeUndefined();
  });
});

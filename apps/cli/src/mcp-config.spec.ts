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

  it('knows no other clients', () => {
    expect(mcpConfig('toString', endpoint)).toBeUndefined();
  });
});

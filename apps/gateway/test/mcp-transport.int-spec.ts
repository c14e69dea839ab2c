import { request as httpRequest } from 'node:http';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';
import { keyWith, legacy, McpAtGateway } from './mcp-client.js';

describe('the transport of the MCP endpoint', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;
  let mcp: McpAtGateway;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
    team = await gateway.newTeam();
    mcp = new McpAtGateway(gateway, team.key);
  });

  afterAll(() => gateway.stop());

  it('takes every Accept, and answers JSON', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      'text/event-stream',
      'application/json, text/event-stream',
    ]) {
      const answer = await mcp.post(legacy('ping'), { headers: { accept } });
      expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([
        accept,
        200,
        expect.stringContaining('application/json'),
      ]);
    }
    const without = await raw(gateway.url, team.key, {});
    expect([without.status, without.type]).toEqual([200, expect.stringContaining('application/json')]);
  });

  it.each(['GET', 'DELETE'])('has no %s, for there are no sessions', async (method) => {
    const answer = await gateway.call('/v2/mcp', { method, key: team.key });
    expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([
      405,
      'POST, OPTIONS',
      { error: 'method_not_allowed', message: expect.any(String) },
    ]);
  });

  it('refuses a parameter that it does not know, and names it', async () => {
    for (const query of ['toolset=runs', 'toolsets=runs&Toolsets=all', 'toolsets=runs&constructor=1']) {
      const answer = await gateway.call<{ message: string }>(`/v2/mcp?${query}`, {
        key: team.key,
        body: legacy('ping'),
      });
      const [name] = /\b(toolset|Toolsets|constructor)(?==)/.exec(query)!;
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'invalid_request', message: expect.stringMatching(`^${name}: is not known`) },
      ]);
    }
    const known = await gateway.call('/v2/mcp?toolsets=runs', { key: team.key, body: legacy('ping') });
    expect(known.status).toBe(200);
  });

  it('refuses foreign pages and rebound names, before it asks who calls', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { host: 'evil.example' },
    ] as Record<string, string>[]) {
      const answer = await raw(gateway.url, 'nobody', headers);
      expect([headers, answer.status, JSON.parse(answer.text)]).toEqual([
        headers,
        403,
        expect.objectContaining({ error: 'forbidden' }),
      ]);
    }
    for (const headers of [{ origin: 'http://localhost:3000' }, { host: 'gateway.test' }] as Record<
      string,
      string
    >[]) {
      expect((await raw(gateway.url, team.key, headers)).status).toBe(200);
    }
    const preflight = await fetch(`${gateway.url}/v2/mcp`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null]);
  });

  it('tells who has no credential where to get one', async () => {
    const answer = await fetch(`${gateway.url}/v2/mcp`, { method: 'POST' });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="http://gateway.test/.well-known/oauth-protected-resource/v2/mcp"',
    ]);
    const metadata = await gateway.call('/.well-known/oauth-protected-resource/v2/mcp');
    expect(metadata.body).toMatchObject({ resource: 'http://gateway.test/v2/mcp' });
    const scopeless = await mcp.post(legacy('ping'), { key: await keyWith(gateway, team, 'runs:read') });
    expect([scopeless.status, await scopeless.json()]).toEqual([
      403,
      { error: 'insufficient_scope', message: expect.stringContaining('mcp:call') },
    ]);
  });

  it.each([
    ['', 400],
    ['{', 400],
    ['"text"', 400],
    ['7', 400],
    ['null', 400],
    ['[]', 400],
    ['{}', 400],
    ['[7]', 400],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
    ['{"jsonrpc":"2.0","id":1}', 400],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 400],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', 400],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 202],
    ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 200],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_team","arguments":[]}}', 200],
    [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_team","arguments":{"teamId":"\\u0000"}}}',
      200,
    ],
    [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_api_keys","arguments":{"__proto__":{"scopes":["*"]},"limit":"\\ud800"}}}',
      200,
    ],
  ])('answers %j with %d', async (body, expected) => {
    const answer = await mcp.post(body);
    expect(answer.status).toBe(expected);
    const text = await answer.text();
    if (expected === 202) return;
    const said = JSON.parse(text) as object;
    // JSON-RPC where there is a message to answer, the shape of every error where there is none.
    expect(said).toMatchObject(
      'jsonrpc' in said ? { jsonrpc: '2.0' } : { error: expect.any(String), message: expect.any(String) },
    );
  });

  it('has limits for a message and for a batch', async () => {
    const batch = Array.from({ length: 51 }, () => legacy('ping'));
    expect((await mcp.post(batch)).status).toBe(400);
    expect((await mcp.post(batch.slice(1))).status).toBe(200);
    const large = await mcp.post({ ...legacy('ping'), padding: 'x'.repeat(1024 * 1024) });
    expect([large.status, await large.json()]).toEqual([
      413,
      { error: 'payload_too_large', message: expect.stringContaining('1048576 bytes') },
    ]);
  });
});

/** With headers that fetch does not let one set. */
function raw(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; type: string | undefined; text: string }> {
  const body = JSON.stringify(legacy('ping'));
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${url}/v2/mcp`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      },
      async (answer) => {
        let text = '';
        for await (const chunk of answer) text += String(chunk);
        resolve({ status: answer.statusCode!, type: answer.headers['content-type'], text });
      },
    );
    sent.on('error', reject).end(body);
  });
}

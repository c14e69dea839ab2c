import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listConnections, startRun, type Connection } from '@aos/contracts';
import { blocksOf, runScript } from '../src/document.js';
import { connectMcp } from '../src/mcp-clients.js';
import { makeAgent, steps } from '../src/sample-agents.js';
import { consented, endConsent } from '../src/sample-connections.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

/** Where documents say that the service is, and how a key begins. */
const documented = 'http://127.0.0.1:8080';
const bearer = /Bearer (aos_…|\$KEY|\$\{input:key\})/;

describe('what documents tell to do', () => {
  let product: ConnectedProduct;
  let team: Team;
  let folder: string;

  beforeAll(async () => {
    product = await connectToProduct();
    team = await newTeam(await connectAdmin(product));
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
  });

  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true });
    await product?.disconnect();
  });

  const here = (text: string) => text.replaceAll(documented, product.urls[0]!);
  const run = (script: string) =>
    runScript(here(script), {
      folder,
      environment: { BASE: product.urls[0]!, TEAM: team.id, KEY: team.key },
    });

  describe('to configure MCP clients', () => {
    it('every configuration is of an address that answers, with a key in a header', async () => {
      const [command] = await blocksOf('docs/mcp.md', 'sh');
      const files = await blocksOf('docs/mcp.md', 'json');
      expect(files.map((file) => Object.keys(JSON.parse(file) as object)[0])).toEqual([
        'mcpServers',
        'servers',
        'mcpServers',
      ]);
      for (const configuration of [command!, ...files]) {
        const [url] = /http:[^\s"]*/.exec(here(configuration))!;
        expect(configuration).toMatch(/Authorization/);
        expect(configuration).toMatch(bearer);
        const client = await connectMcp(url.replace('/v2/mcp', ''), { key: team.key });
        expect((await client.listTools()).tools.map(({ name }) => name)).toContain('start_run');
        await client.close();
      }
    });
  });

  it('to call an MCP tool, and to start a run as a task with its question', async () => {
    const [, ...blocks] = await blocksOf('docs/mcp.md', 'sh');
    expect(blocks).toHaveLength(2);
    const { exitCode, text } = await run(blocks.join('\n'));
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/"agents":.*It is Blue\n$/) as string]);
  });

  it('to connect an MCP server', async () => {
    const { exitCode, text } = await run((await blocksOf('docs/connections.md', 'sh')).join('\n'));
    expect([exitCode, text]).toEqual([0, expect.stringContaining('"auth_method":"apikey"') as string]);
  });

  it('to let a run call the API of a provider', async () => {
    // A person is asked as soon as there is a second team.
    await newTeam(await connectAdmin(product));
    await endConsent(team, await consented(team, product.oauth));
    const { connections } = await team.client.succeed<{ connections: Connection[] }>(listConnections, {
      params: { teamId: team.id },
    });
    const native = connections.find(({ type }) => type === 'native')!;
    expect(native).toMatchObject({ status: 'active', name: 'acme' });
    const path = '/.well-known/openid-configuration';
    const call = `tool acme__http_request {"method": "GET", "path": "${path}"}`;
    const agentId = await makeAgent(team, steps(call, 'finish {{result}}'), { connections: [native.id] });
    const { run: done } = await team.client.succeed<{ run: { status: string; result: string } }>(startRun, {
      params: { teamId: team.id },
      body: { agent_id: agentId, wait_seconds: 30 },
    });
    expect(done.status).toBe('completed');
    const answer = JSON.parse(done.result) as { status: number; body: string };
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      expect.objectContaining({ issuer: product.oauth!.issuer }),
    ]);
  });
});

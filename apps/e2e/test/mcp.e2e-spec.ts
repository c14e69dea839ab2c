import { randomUUID } from 'node:crypto';
import { refusalOf } from '@aos/testing';
import { ClientCredentialsProvider, type Client } from '@modelcontextprotocol/client';
import type { ApiClient } from '../src/api-client.js';
import { connectMcp, generations } from '../src/mcp-clients.js';
import { idsBeyondTeam, workingRequest } from '../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newKey, newOAuthClient, newTeam, type Team } from '../src/team.js';
import { argumentsOf, tools } from './walks/mcp-tools.js';

/** `sealWidget` echoes its body and reads no widget: there is nothing that it could give away. */
const withIds = tools.filter(
  ([name, operation]) => idsBeyondTeam(operation).length > 0 && name !== 'seal_widget',
);

describe('every operation as a tool, for the official client', () => {
  let product: ConnectedProduct;
  let admin: ApiClient;
  let team: Team;
  let other: Team;
  const clients: Record<string, Client> = {};

  beforeAll(async () => {
    product = await connectToProduct();
    admin = await connectAdmin(product);
    [team, other] = await Promise.all([newTeam(admin, 'One'), newTeam(admin, 'Other')]);
    for (const generation of generations) {
      clients[generation] = await connectMcp(product.urls[0]!, { generation, key: team.key });
    }
    clients['admin'] = await connectMcp(product.urls[0]!, { key: product.adminKey });
    clients['stranger'] = await connectMcp(product.urls[0]!, { key: other.key });
  });

  afterAll(async () => {
    await Promise.all(Object.values(clients).map((client) => client.close()));
    await product?.disconnect();
  });

  it('both generations see the same tools', async () => {
    const lists = await Promise.all(generations.map((generation) => clients[generation]!.listTools()));
    const names = lists.map((list) => list.tools.map(({ name }) => name));
    expect(names[0]).toEqual(names[1]);
    const ofTeams = tools.filter(([, { access }]) => access !== 'admin').map(([name]) => name);
    expect(names[0]).toEqual(ofTeams);
  });

  it.each(withIds)("%s: another team's id answers as one that nobody has", async (name, operation) => {
    const requests = [other, team].map((owner) => workingRequest(operation, owner, product));
    const [own, foreign] = (await Promise.all(requests)).map((request) => argumentsOf(operation, request));
    for (const id of idsBeyondTeam(operation)) {
      const answers = await Promise.all(
        [foreign![id], randomUUID(), 'not-an-id'].map(async (value) => {
          const given = { name, arguments: { ...own, [id]: value } };
          return refusalOf(await clients['stranger']!.callTool(given));
        }),
      );
      expect(answers[0]).toEqual({ error: 'not_found', message: expect.any(String) });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    }
  });

  it.each(generations)('%s: needs the scope of each tool', async (generation) => {
    const { key } = await newKey(team, { scopes: ['mcp:call', 'runs:read'] });
    const client = await connectMcp(product.urls[0]!, { generation, key });
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(tools.filter(([, { scope }]) => scope === 'runs:read').map(([name]) => name));
    const refused = await client.callTool({ name: 'start_run', arguments: { agent_id: randomUUID() } });
    expect(refusalOf(refused)).toEqual({
      error: 'insufficient_scope',
      message: expect.stringContaining('runs:write'),
    });
    await client.close();
  });

  it.each(generations)(
    '%s: gets a token by itself, from the 401 on, with client credentials',
    async (generation) => {
      const authProvider = new ClientCredentialsProvider({
        ...(await newOAuthClient(team)),
        expectedIssuer: product.urls[0]!,
      });
      const client = await connectMcp(product.urls[0]!, { generation, authProvider });
      const { structuredContent } = await client.callTool({ name: 'get_team', arguments: {} });
      expect(structuredContent).toMatchObject({ team: { id: team.id } });
      await client.close();
    },
  );

  it('each message of a POST counts', async () => {
    const { key } = await newKey(team);
    const post = (body: object) => admin.request('POST', '/v2/mcp', { token: key, body });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_team' } };
    const left = async (body: object) => Number((await post(body)).headers['ratelimit-remaining']);
    const before = await left(call);
    expect(await left(call)).toBe(before - 1);
    expect(await left([call, call, call])).toBe(before - 4);
  });
});

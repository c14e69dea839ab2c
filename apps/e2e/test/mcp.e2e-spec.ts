import { randomUUID } from 'node:crypto';
import { type Operation } from '@aos/contracts';
import { fixtureTable, refusalOf } from '@aos/testing';
import { ClientCredentialsProvider, type Client } from '@modelcontextprotocol/client';
import type { ApiClient, CallOptions } from '../src/api-client.js';
import { connectMcp, generations, type Generation } from '../src/mcp-clients.js';
import { idsBeyondTeam, workingRequest } from '../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newKey, newOAuthClient, newTeam, type Team } from '../src/team.js';

/** Said once more, so that the names are held to what was decided, not to what computes them. */
const nameOf = ({ operationId }: Operation): string =>
  operationId.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

const { operations } = fixtureTable;

const tools = operations
  .filter(
    ({ kind, takes, access }) => kind === 'json' && takes === 'json' && !['link', 'open'].includes(access),
  )
  .map((operation) => [nameOf(operation), operation] as const);
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

  describe.each(generations)('a client of %s', (generation: Generation) => {
    // The client holds each answer against the schema that it was told when it listed the tools.
    beforeAll(async () => {
      for (const client of [clients['admin']!, clients[generation]!]) await client.listTools();
    });

    it.each(tools)('%s: succeeds', async (name, operation) => {
      const client = operation.access === 'admin' ? clients['admin']! : clients[generation]!;
      const given = argumentsOf(await workingRequest(operation, team, product));
      const result = await client.callTool({ name, arguments: given });
      expect([name, result.isError ?? false, result.content]).toEqual([
        name,
        false,
        [{ type: 'text', text: expect.any(String) }],
      ]);
      const [block] = result.content as { text: string }[];
      expect(JSON.parse(block!.text)).toEqual(result.structuredContent);
    });
  });

  it.each(withIds)("%s: another team's id answers as one that nobody has", async (name, operation) => {
    const requests = [other, team].map((owner) => workingRequest(operation, owner, product));
    const [own, foreign] = (await Promise.all(requests)).map(argumentsOf);
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

  it('a POST counts once, whatever it calls', async () => {
    const { key } = await newKey(team);
    const post = (body: object) => admin.request('POST', '/v2/mcp', { token: key, body });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_team' } };
    const left = async (body: object) => Number((await post(body)).headers['ratelimit-remaining']);
    const before = await left(call);
    expect(await left([call, call, call])).toBe(before - 1);
  });
});

/** The parts of a request as the arguments of its tool. No operation has a name twice. */
function argumentsOf({ params = {}, query = {}, body = {} }: CallOptions): Record<string, unknown> {
  const inPath = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)] as const);
  return { ...Object.fromEntries(inPath), ...(query as object), ...(body as object) };
}

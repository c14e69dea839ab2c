import type { Client } from '@modelcontextprotocol/client';
import { connectMcp, generations } from '../../src/mcp-clients.js';
import { workingRequest } from '../../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';
import type { Choice } from './choice.js';
import { argumentsOf, tools } from './mcp-tools.js';

/** With the schemas of what tools answer. */
const query = '?output_schemas=true';

const cases = (choose: Choice) =>
  tools.flatMap(([name, operation], nth) =>
    choose(generations, nth).map((generation) => [name, generation, operation] as const),
  );

/** Calls each tool with clients of the MCP generations that are chosen for it. */
export function describeMcpTools(title: string, choose: Choice): void {
  describe(title, () => {
    let product: ConnectedProduct;
    let team: Team;
    const clients: Record<string, Client> = {};

    beforeAll(async () => {
      product = await connectToProduct();
      team = await newTeam(await connectAdmin(product));
      for (const generation of generations) {
        clients[generation] = await connectMcp(product.urls[0]!, { generation, key: team.key, query });
      }
      clients['admin'] = await connectMcp(product.urls[0]!, { key: product.adminKey, query });
      // A client that has listed the tools checks each answer against the schema of its tool.
      for (const client of Object.values(clients)) await client.listTools();
    });

    afterAll(async () => {
      await Promise.all(Object.values(clients).map((client) => client.close()));
      await product?.disconnect();
    });

    it.each(cases(choose))('%s succeeds for a client of %s', async (name, generation, operation) => {
      const client = clients[operation.access === 'admin' ? 'admin' : generation]!;
      const given = argumentsOf(operation, await workingRequest(operation, team, product));
      const result = await client.callTool({ name, arguments: given });
      const content = [{ type: 'text', text: expect.any(String) }];
      expect([name, result.isError ?? false, result.content]).toEqual([name, false, content]);
      const [block] = result.content as { text: string }[];
      expect(JSON.parse(block!.text)).toEqual(result.structuredContent);
    });
  });
}

import { type Operation } from '@aos/contracts';
import { fixtureTable } from '@aos/testing';
import type { ApiClient, CallOptions } from '../src/api-client.js';
import { workingRequest } from '../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const mutating = fixtureTable.operations
  // What a tool answers is in the message, not in the status: mcp.e2e-spec.ts.
  .filter(({ mutating: changes, kind }) => changes && kind !== 'rpc')
  .map((operation) => [operation.operationId, operation] as const);

describe('Idempotency-Key, over every operation that changes something', () => {
  let product: ConnectedProduct;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    product = await connectToProduct();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  /** A request with a key, and the client that may make it. */
  async function keyedRequest(operation: Operation, key: string): Promise<[ApiClient, CallOptions]> {
    const request = await workingRequest(operation, team, product);
    const client = operation.access === 'admin' ? admin : team.client;
    return [client, { ...request, headers: { ...request.headers, 'idempotency-key': key } }];
  }

  it.each(mutating)('%s: the first answer again, byte for byte, at any gateway', async (_, operation) => {
    const [client, request] = await keyedRequest(operation, 'again');
    const first = await client.call(operation, request);
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([operation.status, undefined]);
    for (const url of product.urls) {
      const again = await client.at(url).call(operation, request);
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
        first.status,
        first.text,
        'true',
      ]);
    }
  });

  it.each(mutating)('%s: another body under the same key is refused', async (_, operation) => {
    const [client, request] = await keyedRequest(operation, 'conflict');
    await client.succeed(operation, request);
    const other = await client.call(operation, { ...request, ...anotherBody(operation, request) });
    expect([other.status, other.body]).toEqual([
      409,
      expect.objectContaining({ error: 'idempotency_conflict' }),
    ]);
  });
});

function anotherBody({ takes }: Operation, { body, rawBody }: CallOptions): CallOptions {
  if (takes === 'json') return { body: { ...(body as object | undefined), another: 1 } };
  return { rawBody: Buffer.from(Buffer.from(rawBody!).toString().replace('Hello', 'Hallo')) };
}

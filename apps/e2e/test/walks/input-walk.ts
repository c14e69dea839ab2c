import type { Operation } from '@aos/contracts';
import { fixtureTable } from '@aos/testing';
import type { ApiAnswer, ApiClient, CallOptions } from '../../src/api-client.js';
import { sampleRequest } from '../../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

/** Operations as cases for `it.each`: each after its name, with its place in the list. */
export function rowsOf(
  wanted: (operation: Operation) => boolean,
): (readonly [name: string, operation: Operation, nth: number])[] {
  const operations = fixtureTable.operations.filter(wanted);
  return operations.map((operation, nth) => [operation.operationId, operation, nth]);
}

/** JSON-RPC has rules of its own for messages, pages of browsers and methods: mcp.e2e-spec.ts. */
export const isPlain = ({ kind }: Operation): boolean => kind !== 'rpc';

/** Requests of a team of its own that are not as they should be. */
export class InputWalk {
  private constructor(
    readonly product: ConnectedProduct,
    private readonly admin: ApiClient,
    readonly team: Team,
  ) {}

  static async begin(): Promise<InputWalk> {
    const product = await connectToProduct();
    const admin = await connectAdmin(product);
    return new InputWalk(product, admin, await newTeam(admin));
  }

  /** Sends a sample with changes. The client checks shape and headers; that it is no 5xx is checked here. */
  async send(operation: Operation, changes: CallOptions): Promise<ApiAnswer> {
    const client = operation.access === 'admin' ? this.admin : this.team.client;
    const sample = sampleRequest(operation, this.team.id);
    const headers = { ...sample.headers, ...changes.headers };
    const answer = await client.call(operation, { ...sample, ...changes, headers });
    expect(answer.status).toBeLessThan(500);
    return answer;
  }

  /** What has a name that no other may have is there when it is sent again. */
  async sendAgain(operation: Operation): Promise<ApiAnswer> {
    await this.send(operation, {});
    return this.send(operation, {});
  }

  end(): Promise<void> {
    return this.product.disconnect();
  }
}

export function refusal(error: string, field?: string) {
  return { error, message: field === undefined ? expect.any(String) : expect.stringContaining(field) };
}

/** Side by side: one after the other would be waiting most of the time. */
export async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(check));
}

import { findChromium } from '@aos/browser';
import { exportArtifactPdf, type Operation } from '@aos/contracts';
import { fixtureTable } from '@aos/testing';
import type { ApiAnswer, ApiClient } from '../src/api-client.js';
import { workingRequest } from '../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const hasChromium = (await findChromium({ path: process.env['PATH'] ?? '' })) !== undefined;

/** Without Chromium the export to PDF is refused. */
const isHere = (operation: Operation): boolean => operation !== exportArtifactPdf || hasChromium;

const operations = fixtureTable.operations
  .filter(isHere)
  .map((operation) => [operation.operationId, operation] as const);

describe('OpenAPI says what the server does', () => {
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

  async function success(operation: Operation): Promise<ApiAnswer> {
    const client = operation.access === 'admin' ? admin : team.client;
    return client.call(operation, await workingRequest(operation, team, product));
  }

  it.each(operations)('%s: its success is as documented', async (_, operation) => {
    const answer = await success(operation);
    expect(answer.status).toBe(operation.status);
  });

  it('finds a wrong status, a missing header and an error of another shape', async () => {
    const [, operation] = operations[0]!;
    const answer = await success(operation);
    const { 'x-request-id': _id, ...withoutId } = answer.headers;
    const { 'ratelimit-reset': _reset, ...withoutReset } = answer.headers;
    const error = { ...answer, status: 404, text: '{"error":"not_found","message":"No."}' };
    const problems = (changed: object) => admin.contract.problemsOf(operation, { ...answer, ...changed });
    expect(problems({ status: 201 })).toEqual(['the undeclared status 201']);
    expect(problems({ headers: withoutId })).toEqual(['no X-Request-Id']);
    expect(problems({ headers: withoutReset })).toEqual(['ratelimit-reset is undefined']);
    expect(problems(error)).toEqual([]);
    expect(problems({ ...error, status: 429 })).toContain('429 without Retry-After');
    expect(problems({ ...error, status: 401 })).toContain('401 without WWW-Authenticate');
    expect(problems({ ...error, text: '{"error":"not_found"}' })).toContain('an error without a message');
    expect(problems({ ...error, text: '{"error":"nope","message":"No."}' })).toContain(
      'the unknown error code nope',
    );
    expect(problems({ ...error, text: '{"error":"not_found","message":"No.","product":""}' })).toContain(
      'an error with the extra field product',
    );
  });
});

import { findChromium } from '@aos/browser';
import { exportArtifactPdf, type Operation } from '@aos/contracts';
import { pathOf, type ApiClient } from '../src/api-client.js';
import { exchange, type HttpAnswer } from '../src/http-exchange.js';
import { workingRequest } from '../src/sample-request.js';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';
import { rowsOf } from './walks/input-walk.js';

const hasChromium = (await findChromium({ path: process.env['PATH'] ?? '' })) !== undefined;

/** Without Chromium the export to PDF is refused. */
const isHere = (operation: Operation): boolean => operation !== exportArtifactPdf || hasChromium;

const readable = rowsOf((operation) => operation.method === 'GET' && isHere(operation));

/** Of the connection, and what differs each time. */
const changing = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'ratelimit-remaining',
  'ratelimit-reset',
  'transfer-encoding',
  'x-request-id',
];
/** Of a file that each GET makes anew. */
const made = ['etag', 'last-modified', 'content-disposition'];

describe('HEAD, over every operation that reads', () => {
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

  const constant = ({ headers }: HttpAnswer, without: readonly string[]) =>
    Object.fromEntries(
      Object.entries(headers).filter(([name]) => !changing.includes(name) && !without.includes(name)),
    );

  it.each(readable)('%s: the status and the headers of GET, and no body', async (_, operation) => {
    const token = operation.access === 'admin' ? product.adminKey : team.key;
    const request = await workingRequest(operation, team, product);
    const send = (method: string) =>
      exchange(product.urls[0]!, {
        method,
        path: pathOf(operation, request),
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      });
    // First, so that it would be seen if it did what GET does.
    const head = await send('HEAD');
    const get = await send('GET');
    expect([head.status, head.text, get.status]).toEqual([operation.status, '', operation.status]);
    const without = operation.headFrom ? made : [];
    expect(constant(head, [])).toEqual(constant(get, without));
    const isWhole = !operation.headFrom && ['json', 'binary', 'document'].includes(operation.kind);
    expect(head.headers['content-length'] !== undefined).toBe(isWhole);
    if (operation.kind === 'binary' && isWhole)
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

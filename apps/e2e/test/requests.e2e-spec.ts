import { getTeam } from '@aos/contracts';
import type { ApiClient } from '../src/api-client.js';
import { errorShapeProblems } from '../src/error-shape.js';
import { exchangeBytes } from '../src/http-exchange.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

describe('any request', () => {
  let product: Deployment;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    product = await connectToDeployment();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  const paths = [
    '/v2/teams',
    '/nothing',
    '/v2/teams/%zz',
    '/healthz',
    '/oauth/jwks',
    '/docs',
    '/v2/openapi.json',
  ];

  it.each(paths)('%s keeps a sound request id of the client', async (path) => {
    for (const id of ['a', 'req_01', '~!@#$%^&*()', 'two words', 'x'.repeat(128)]) {
      const answer = await team.client.request('GET', path, { headers: { 'x-request-id': id } });
      expect(answer.headers['x-request-id']).toBe(id);
    }
  });

  it.each(paths)('%s makes an id where the client has none, or an unsound one', async (path) => {
    const made = new Set<unknown>();
    for (const id of [undefined, '', 'x'.repeat(129), 'caf\u00e9', 'a\tb']) {
      const headers: Record<string, string> = id === undefined ? {} : { 'x-request-id': id };
      const answer = await team.client.request('GET', path, { headers });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      made.add(answer.headers['x-request-id']);
    }
    expect(made.size).toBe(5);
  });

  it('to an unknown path is 404 in the shape of errors, with or without a credential', async () => {
    for (const token of [null, team.key, 'aos_wrong']) {
      const answer = await admin.request('POST', '/v2/nothing', { token, body: { a: 1 } });
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: 'not_found', message: expect.any(String) },
      ]);
    }
  });

  it("names the team in any case: a credential's own team is its own", async () => {
    const params = { teamId: team.id.toUpperCase() };
    expect(await team.client.succeed(getTeam, { params })).toMatchObject({ team_id: team.id });
  });

  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n'],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: a\r\nA: \0\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a broken chunk', 'POST /v2/teams HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('%s get an error of the same shape', async (_, bytes) => {
    const [head, text] = (await exchangeBytes(product.urls[0]!, bytes)).split('\r\n\r\n') as [string, string];
    const [statusLine, ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines
        .map((line) => line.split(': ') as [string, string])
        .map(([name, value]) => [name.toLowerCase(), value]),
    );
    const status = Number(statusLine!.split(' ')[1]);
    expect(status).toBe(400);
    expect(errorShapeProblems({ status, headers, text })).toEqual([]);
    expect(headers['x-request-id']).toEqual(expect.any(String));
  });
});

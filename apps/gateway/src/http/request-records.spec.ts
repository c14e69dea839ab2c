import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { createLogger, Metrics, Tracing } from '@aos/platform';
import { eventually } from '@aos/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { RequestRecords } from './request-records.js';

const secret = 'Kakadu-73';
const teamId = '01990000-0000-7000-8000-000000000001';

describe('what is told of each request', () => {
  const written: string[] = [];
  const metrics = new Metrics('gateway');
  let server: FastifyInstance;

  beforeAll(async () => {
    const logger = createLogger({
      service: 'gateway',
      level: 'info',
      destination: { write: (line) => written.push(line) },
    });
    server = fastify({ genReqId: () => 'request-1' });
    new RequestRecords(Tracing.off, logger, metrics).register(server);
    server.decorateRequest('principal', undefined);
    server.addHook('preHandler', async (request) => {
      request.principal = { kind: 'api_key', teamId, credentialId: 'k', scopes: [] };
    });
    server.get('/healthz', { config: { isProbe: true } }, async () => ({}));
    server.post('/v2/links/:token', { config: { operation: 'followLink' } }, async () => ({ secret }));
    server.get('/fails', { config: { operation: 'fail' } }, async () => {
      throw new Error(secret);
    });
    server.get('/held', { config: { operation: 'hold' } }, () => new Promise(() => undefined));
    server.get('/streamed', { config: { operation: 'stream' } }, async (_request, reply) => {
      const body = new PassThrough();
      body.write('a part');
      return reply.send(body);
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });

  beforeEach(() => {
    written.length = 0;
  });

  afterAll(() => server.close());

  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('is one line, which joins by request, team and trace', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await server.inject({
      method: 'POST',
      url: `/v2/links/${secret}?key=${secret}`,
      payload: { text: secret },
      headers: { authorization: `Bearer ${secret}`, traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.any(String) as string,
        service: 'gateway',
        pid: process.pid,
        method: 'POST',
        route: '/v2/links/:token',
        operation: 'followLink',
        status: 200,
        ms: expect.any(Number) as number,
        team_id: teamId,
        request_id: 'request-1',
        trace_id: traceId,
        msg: 'request',
      },
    ]);
    expect(written.join('')).not.toContain(secret);
  });

  it('has a trace of its own where the caller names none, or a bad one', async () => {
    await server.inject({ url: '/fails', headers: { traceparent: '00-nonsense' } });
    expect(lines()[0]).toMatchObject({
      status: 500,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
  });

  it('is there for paths that there are not, without the path', async () => {
    await server.inject({ url: `/${secret}` });
    expect(lines()).toMatchObject([{ route: 'none', operation: 'none', status: 404 }]);
    expect(written.join('')).not.toContain(secret);
  });

  it.each([
    ['before the answer', '/held', 'hold'],
    ['half-way through it', '/streamed', 'stream'],
  ])('is there, once, for a client that went %s', async (_, path, operation) => {
    const client = httpRequest(`${server.listeningOrigin}${path}`).on('error', () => undefined);
    const isAsked = once(server.server, 'request');
    client.end();
    await isAsked;
    if (path === '/streamed') await once(client, 'response');
    client.destroy();
    await eventually(async () => expect(lines()).toMatchObject([{ operation, status: 499 }]));
    expect(await metrics.text()).toMatch(
      new RegExp(`operation="${operation}",method="GET",status="499"\\} 1\\b`),
    );
  });

  it('is nothing for probes', async () => {
    await server.inject({ url: '/healthz' });
    expect(written).toEqual([]);
  });

  it('is a time by operation, method and status, whatever clients name', async () => {
    await server.inject({ method: 'POST', url: '/v2/links/other' });
    const text = await metrics.text();
    expect(text).toMatch(
      /aos_http_request_duration_seconds_count\{service="gateway",operation="followLink",method="POST",status="200"\} 2\b/,
    );
    expect(text).toMatch(/operation="none",method="GET",status="404"/);
    expect(text).not.toMatch(/isProbe|healthz/);
  });
});

import { Readable } from 'node:stream';
import { createLogger, Metrics, Shutdown } from '@aos/platform';
import { EventSource, eventually } from '@aos/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { OpenRequests } from './open-requests.js';

const maxUnreadMs = 200;

describe('a download', () => {
  let requests: OpenRequests;
  let server: FastifyInstance;
  let left: number;

  beforeEach(async () => {
    left = 0;
    const shutdown = new Shutdown(createLogger({ service: 'gateway', level: 'silent' }), 1_000);
    const limits = { HELD_REQUESTS_PER_CREDENTIAL: 10, HELD_REQUESTS_PER_TEAM: 10 };
    requests = new OpenRequests(shutdown, new Metrics('gateway'), limits);
    server = fastify();
    serve('/endless', async function* () {
      for (;;) yield Buffer.alloc(64 * 1024);
    });
    // Silent for several times as long as a client may be.
    serve('/slow', async function* () {
      yield 'first, ';
      await new Promise((resolve) => setTimeout(resolve, 4 * maxUnreadMs));
      yield 'second';
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });

  afterEach(() => server.close());

  function serve(path: string, body: () => AsyncGenerator<string | Buffer>): void {
    server.get(path, async (_request, reply) => {
      requests.download(reply, () => (left += 1), maxUnreadMs);
      return reply.send(Readable.from(body(), { objectMode: false }));
    });
  }

  it('that nobody reads is cut off after a while', async () => {
    const source = await EventSource.open(`${server.listeningOrigin}/endless`, {});
    await eventually(async () => expect(left).toBe(1));
    source.read();
    expect(await source.ended).toBe('cut');
  });

  it('that comes slowly is not', async () => {
    const answer = await fetch(`${server.listeningOrigin}/slow`);
    expect(await answer.text()).toBe('first, second');
    await eventually(async () => expect(left).toBe(1));
  });
});

import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { deafServer, httpServer, tcpServer, tlsServer, type LoopbackServer } from '../test/loopback.js';
import { selfSigned } from '../test/self-signed.js';
import { parseAllowedRanges } from './address-rules.js';
import { createEgress, type Egress, type EgressOptions } from './egress.js';
import { EgressError } from './egress-error.js';

const name = 'hooks.example.com';
const ok = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe('createEgress', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function egress(options: Partial<EgressOptions> = {}): Egress {
    const made = createEgress({
      allowed: parseAllowedRanges('127.0.0.0/8'),
      resolve: () => Promise.resolve(['127.0.0.1']),
      ...options,
    });
    cleanups.push(() => made.close());
    return made;
  }

  async function serve<T extends Pick<LoopbackServer, 'close'>>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    cleanups.push(() => server.close());
    return server;
  }

  /** A server that answers every request with these bytes, right or wrong. */
  const saying = (bytes: string | Buffer, then?: (socket: Socket) => void): Promise<LoopbackServer> =>
    serve(
      tcpServer((socket) => {
        socket.on('data', () => {
          socket.write(bytes);
          then?.(socket);
        });
      }),
    );
  const urlOf = ({ port }: { port: number }): string => `http://${name}:${port}/`;

  async function failureOf(call: Promise<unknown>): Promise<EgressError> {
    const error: unknown = await call.then(
      () => new Error('The call did not fail'),
      (reason: unknown) => reason,
    );
    if (error instanceof EgressError) return error;
    throw error;
  }

  it('sends method, headers and body, and gives status, headers and body', async () => {
    const server = await serve(
      httpServer((incoming, answer) => {
        void incoming.toArray().then((chunks) => {
          answer.writeHead(418, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
          const { host, 'x-id': id, 'accept-encoding': encoding } = incoming.headers;
          answer.end(JSON.stringify({ method: incoming.method, host, id, encoding, body: chunks.join('') }));
        });
      }),
    );
    const headers = { 'X-Id': '1', 'content-type': 'application/json' };
    const answer = await egress().request({ url: urlOf(server), method: 'PUT', headers, body: '{"é":1}' });
    expect(answer).toMatchObject({ status: 418, truncated: false });
    expect(answer.headers.get('Retry-After')).toBe('7');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual({
      method: 'PUT',
      host: `${name}:${server.port}`,
      id: '1',
      encoding: 'identity',
      body: '{"é":1}',
    });
  });

  it('does not connect to a name that was public when it was checked and is 127.0.0.1 when it is called', async () => {
    const server = await saying(ok('inside'));
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const resolve = (): Promise<string[]> => Promise.resolve(answers.shift() ?? []);
    const guarded = egress({ allowed: parseAllowedRanges(''), resolve });
    expect((await guarded.check(urlOf(server))).ok).toBe(true);
    expect((await failureOf(guarded.request({ url: urlOf(server) }))).kind).toBe('forbidden');
    expect(answers).toEqual([]);
    expect(server.connections()).toBe(0);
    // The same call reaches the server where the range is open: the count would have seen it.
    await egress().request({ url: urlOf(server) });
    expect(server.connections()).toBe(1);
  });

  it('checks every new connection, not only the first', async () => {
    const server = await saying(ok('once'), (socket) => socket.end());
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const guarded = egress({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    await guarded.request({ url: urlOf(server), headers: { connection: 'close' } });
    expect((await failureOf(guarded.request({ url: urlOf(server) }))).kind).toBe('forbidden');
    expect(server.connections()).toBe(1);
  });

  it.each([
    'http://localhost/',
    'http://10.0.0.1/',
    'ftp://example.com/',
    'http://u:p@example.com/',
    'nonsense',
  ])('refuses %s with the reason of the guard', async (url) => {
    const verdict = await egress().check(url);
    const failure = await failureOf(egress().request({ url }));
    expect([failure.kind, { ok: false, reason: failure.message }]).toEqual(['forbidden', verdict]);
  });

  it('gives a redirect to the inside as the answer it is', async () => {
    const inside = await saying(ok('inside'));
    const server = await saying(`HTTP/1.1 307 X\r\nlocation: ${urlOf(inside)}\r\ncontent-length: 0\r\n\r\n`);
    const { status, headers } = await egress().request({ url: urlOf(server) });
    expect([status, headers.get('location')]).toEqual([307, urlOf(inside)]);
    expect(inside.connections()).toBe(0);
  });

  it('uses a connection again, for calls one after another', async () => {
    const server = await serve(httpServer((_incoming, answer) => answer.end('x'.repeat(100_000))));
    const client = egress();
    for (let call = 0; call < 3; call += 1)
      await client.request({ url: urlOf(server), method: 'POST', body: 'x' });
    expect(server.connections()).toBe(1);
  });

  describe('time', () => {
    it('ends when DNS does not answer', async () => {
      const client = egress({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 50 });
      const failure = await failureOf(client.request({ url: `http://${name}/` }));
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The connection was not made within 50 ms.',
      });
    });

    it('ends when the connection is not accepted', async () => {
      const server = await serve(deafServer());
      const failure = await failureOf(egress({ connectTimeoutMs: 100 }).request({ url: urlOf(server) }));
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The connection was not made within 100 ms.',
      });
    });

    it('ends when TLS is not spoken', async () => {
      const server = await serve(tcpServer(() => undefined));
      const url = urlOf(server).replace('http:', 'https:');
      const failure = await failureOf(
        egress({ connectTimeoutMs: 500 }).request({ url, connectTimeoutMs: 50 }),
      );
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The connection was not made within 50 ms.',
      });
    });

    it.each([
      ['nothing is answered', '', ''],
      ['the status never ends', 'HTTP/1.1 2', '0'],
      ['the headers never end', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
      ['only early hints come', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
      ['the body drips', 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n', '.'],
      ['the chunks drip', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\n.\r\n'],
    ])('ends when %s', async (_case, start, drop) => {
      const server = await saying(start, (socket) => {
        const drip = setInterval(() => socket.write(drop), 10);
        socket.on('close', () => clearInterval(drip));
      });
      const failure = await failureOf(egress().request({ url: urlOf(server), timeoutMs: 150 }));
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The answer was not complete within 150 ms.',
      });
      await server.idle();
    });
  });

  describe('failures', () => {
    it('tells a refused connection', async () => {
      const server = await tcpServer(() => undefined);
      await server.close();
      const failure = await failureOf(egress().request({ url: urlOf(server) }));
      expect(failure).toMatchObject({ kind: 'connect', message: 'The connection was refused.' });
    });

    it('tells a name without addresses', async () => {
      const failure = await failureOf(
        egress({ resolve: () => Promise.resolve([]) }).request({ url: `http://${name}/` }),
      );
      expect(failure).toMatchObject({ kind: 'connect', message: 'The host name does not resolve.' });
    });

    it('tells a certificate that nobody vouches for', async () => {
      const server = await serve(tlsServer(selfSigned(name)));
      const failure = await failureOf(egress().request({ url: urlOf(server).replace('http:', 'https:') }));
      expect(failure).toMatchObject({ kind: 'connect', message: 'The TLS handshake failed.' });
    });

    it('tells that the other side speaks no TLS', async () => {
      const server = await saying(ok('plain'));
      const failure = await failureOf(egress().request({ url: urlOf(server).replace('http:', 'https:') }));
      expect(failure).toMatchObject({ kind: 'connect', message: 'The TLS handshake failed.' });
    });

    it.each([
      ['before the answer', ''],
      ['within the headers', 'HTTP/1.1 200 OK\r\nx: '],
      ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
      ['within the chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
    ])('tells a reset %s, and an early end', async (_case, start) => {
      const reset = await saying(start, (socket) => socket.resetAndDestroy());
      expect((await failureOf(egress().request({ url: urlOf(reset) }))).kind).toBe('reset');
      const end = await saying(start, (socket) => socket.end());
      expect((await failureOf(egress().request({ url: urlOf(end) }))).kind).toBe('reset');
    });

    it.each([
      ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['binary garbage', Buffer.from([0, 1, 2, 255, 254])],
      ['HTTP/0.9', '<html></html>'],
      ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n1'],
      [
        'a length and chunks',
        'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['a chunk without length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
      ['huge headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
      ['one huge header', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
    ])('tells an answer that is no HTTP: %s', async (_case, bytes) => {
      const server = await saying(bytes);
      expect((await failureOf(egress().request({ url: urlOf(server) }))).kind).toBe('protocol');
      await server.idle();
    });

    it.each([
      [{ method: 'CONNECT' }],
      [{ method: 'trace' }],
      [{ method: 'GET / HTTP/1.1\r\nx:' }],
      [{ headers: { host: '127.0.0.1' } }],
      [{ headers: { 'x-a': 'b\r\nx-c: d' } }],
      [{ headers: { 'x a': 'b' } }],
      [{ headers: { 'x-a': '\u20ac' } }],
      [{ headers: { 'transfer-encoding': 'chunked' } }],
      [{ headers: { upgrade: 'websocket' } }],
      [{ headers: { expect: '100-continue' } }],
      [{ method: 'POST', headers: { 'content-length': '3' }, body: '12345' }],
    ])('sends nothing that could be misread: %j', async (request) => {
      const received: Buffer[] = [];
      const server = await serve(
        tcpServer((socket) => socket.on('data', (chunk: Buffer) => received.push(chunk))),
      );
      expect((await failureOf(egress().request({ url: urlOf(server), ...request }))).kind).toBe('protocol');
      expect(received).toEqual([]);
    });

    it('says nothing about the inside', async () => {
      const server = await tcpServer(() => undefined);
      await server.close();
      for (const allowed of ['', '127.0.0.0/8']) {
        const client = egress({ allowed: parseAllowedRanges(allowed) });
        const { message } = await failureOf(client.request({ url: urlOf(server) }));
        expect(message).not.toMatch(/\d|undici|ECONN/);
      }
    });
  });

  describe('the size of an answer', () => {
    it('keeps the first bytes and hangs up', async () => {
      const server = await saying(ok('x'.repeat(5_000_000)));
      const answer = await egress().request({ url: urlOf(server), maxBytes: 1024 });
      expect(answer).toMatchObject({ status: 200, truncated: true });
      expect(Buffer.from(answer.body).toString()).toBe('x'.repeat(1024));
      await server.idle();
    });

    it.each([
      [1024, 1024, false],
      [1025, 1024, true],
      [1, 0, true],
      [0, 0, false],
    ])('draws the line exactly: %i bytes, at most %i', async (size, maxBytes, truncated) => {
      const server = await saying(ok('x'.repeat(size)));
      const answer = await egress({ maxBytes }).request({ url: urlOf(server) });
      expect([answer.body.byteLength, answer.truncated]).toEqual([Math.min(size, maxBytes), truncated]);
    });

    it('does not unpack', async () => {
      const bomb = gzipSync(Buffer.alloc(1_000_000));
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
      const server = await saying(Buffer.concat([Buffer.from(head), bomb]));
      const answer = await egress().request({ url: urlOf(server) });
      expect(bomb.equals(answer.body)).toBe(true);
    });
  });

  describe('giving up', () => {
    it('connects to nobody when given up before', async () => {
      const server = await saying(ok(''));
      const failure = await failureOf(egress().request({ url: urlOf(server), signal: AbortSignal.abort() }));
      expect(failure).toMatchObject({ kind: 'aborted', message: 'The call was given up.' });
      expect(server.connections()).toBe(0);
    });

    it.each([
      ['waiting for the answer', ''],
      ['reading the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
    ])('hangs up while %s', async (_case, start) => {
      const controller = new AbortController();
      const server = await saying(start, () => setImmediate(() => controller.abort()));
      const failure = await failureOf(egress().request({ url: urlOf(server), signal: controller.signal }));
      expect(failure.kind).toBe('aborted');
      await server.idle();
    });

    it('gives up while connecting, and sends nothing later', async () => {
      const received: Buffer[] = [];
      const server = await serve(
        tcpServer((socket) => socket.on('data', (chunk: Buffer) => received.push(chunk))),
      );
      const controller = new AbortController();
      let answerDns: (addresses: string[]) => void = () => undefined;
      const resolve = (): Promise<string[]> =>
        new Promise((settle) => {
          answerDns = settle;
          controller.abort();
        });
      const client = egress({ resolve });
      const failure = await failureOf(client.request({ url: urlOf(server), signal: controller.signal }));
      expect(failure.kind).toBe('aborted');
      answerDns(['127.0.0.1']);
      await client.close();
      await server.idle();
      expect(received).toEqual([]);
    });

    it('closes after the calls under way, and takes no more', async () => {
      const server = await serve(
        httpServer((_incoming, answer) => void setImmediate(() => answer.end('done'))),
      );
      const client = egress();
      const underWay = client.request({ url: urlOf(server) });
      const closing = client.close();
      expect(Buffer.from((await underWay).body).toString()).toBe('done');
      await closing;
      const late = await failureOf(client.request({ url: urlOf(server) }));
      expect(late).toMatchObject({ kind: 'aborted', message: 'The client is closed.' });
      await server.idle();
    });
  });
});

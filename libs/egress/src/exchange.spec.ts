import { gzipSync } from 'node:zlib';
import { Calls, failureOf, name, ok, urlOf } from '../test/calls.js';
import { deafServer, tcpServer } from '../test/loopback.js';
import { parseAllowedRanges } from './rules/address-rules.js';

describe('a call that goes wrong', () => {
  const calls = new Calls();
  afterEach(() => calls.closeAll());

  describe('time', () => {
    it('ends when DNS does not answer', async () => {
      const client = calls.egress({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 50 });
      const failure = await failureOf(client.request({ url: `http://${name}/` }));
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The connection was not made within 50 ms.',
      });
    });

    it('ends when the connection is not accepted', async () => {
      const server = await calls.serve(deafServer());
      const failure = await failureOf(
        calls.egress({ connectTimeoutMs: 100 }).request({ url: urlOf(server) }),
      );
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The connection was not made within 100 ms.',
      });
    });

    it('ends when TLS is not spoken', async () => {
      const server = await calls.serve(tcpServer(() => undefined));
      const url = urlOf(server).replace('http:', 'https:');
      const failure = await failureOf(
        calls.egress({ connectTimeoutMs: 500 }).request({ url, connectTimeoutMs: 50 }),
      );
      expect(failure).toMatchObject({
        kind: 'timeout',
        message: 'The connection was not made within 50 ms.',
      });
    });

    it.each([
      ['nothing is answered', '', ''],
      ['the status never ends', 'HTTP/1.1 200 O', 'K'],
      ['the headers never end', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
      ['only early hints come', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
      ['the body drips', 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n', '.'],
      ['the chunks drip', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\n.\r\n'],
    ])('ends when %s', async (_case, start, drop) => {
      const server = await calls.saying(start, (socket) => {
        const drip = setInterval(() => socket.write(drop), 10);
        socket.on('close', () => clearInterval(drip));
      });
      const failure = await failureOf(calls.egress().request({ url: urlOf(server), timeoutMs: 150 }));
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
      const failure = await failureOf(calls.egress().request({ url: urlOf(server) }));
      expect(failure).toMatchObject({ kind: 'connect', message: 'The connection was refused.' });
    });

    it('tells a name without addresses', async () => {
      const failure = await failureOf(
        calls.egress({ resolve: () => Promise.resolve([]) }).request({ url: `http://${name}/` }),
      );
      expect(failure).toMatchObject({ kind: 'connect', message: 'The host name does not resolve.' });
    });

    it('tells that the other side speaks no TLS', async () => {
      const server = await calls.saying(ok('plain'));
      const failure = await failureOf(
        calls.egress().request({ url: urlOf(server).replace('http:', 'https:') }),
      );
      expect(failure).toMatchObject({ kind: 'connect', message: 'The TLS handshake failed.' });
    });

    it.each([
      ['before the answer', ''],
      ['within the headers', 'HTTP/1.1 200 OK\r\nx: '],
      ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
      ['within the chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
      ['within the last body', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345'],
      [
        'within the last chunks',
        'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\n1',
      ],
    ])('tells a reset %s, and an early end', async (_case, start) => {
      const reset = await calls.saying(start, (socket) => socket.resetAndDestroy());
      expect((await failureOf(calls.egress().request({ url: urlOf(reset) }))).kind).toBe('reset');
      const end = await calls.saying(start, (socket) => socket.end());
      expect((await failureOf(calls.egress().request({ url: urlOf(end) }))).kind).toBe('reset');
    });

    it.each([
      ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['binary garbage', Buffer.from([0, 1, 2, 255, 254])],
      ['HTTP/0.9', '<html></html>'],
      ['a chunk without length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
      ['huge headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
      ['one huge header', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
    ])('tells an answer that is no HTTP: %s', async (_case, bytes) => {
      const server = await calls.saying(bytes);
      expect((await failureOf(calls.egress().request({ url: urlOf(server) }))).kind).toBe('protocol');
      await server.idle();
    });

    it.each([
      ['two lengths', '200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n1'],
      ['a length and chunks', '200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['an upgrade nobody asked for', '101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ])('takes no answer with %s', async (_case, answer) => {
      const server = await calls.saying(`HTTP/1.1 ${answer}`);
      await failureOf(calls.egress().request({ url: urlOf(server) }));
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
      const server = await calls.hearing();
      const failure = await failureOf(calls.egress().request({ url: urlOf(server), ...request }));
      expect(failure.kind).toBe('protocol');
      expect(server.received).toEqual([]);
    });

    it('says nothing about the inside', async () => {
      const server = await tcpServer(() => undefined);
      await server.close();
      for (const allowed of ['', '127.0.0.0/8']) {
        const client = calls.egress({ allowed: parseAllowedRanges(allowed) });
        const { message } = await failureOf(client.request({ url: urlOf(server) }));
        expect(message).not.toMatch(/\d|undici|ECONN/);
      }
    });
  });

  describe('the size of an answer', () => {
    it('keeps the first bytes and hangs up', async () => {
      const server = await calls.saying(ok('x'.repeat(5_000_000)));
      const answer = await calls.egress().request({ url: urlOf(server), maxBytes: 1024 });
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
      const server = await calls.saying(ok('x'.repeat(size)));
      const answer = await calls.egress({ maxBytes }).request({ url: urlOf(server) });
      expect([answer.body.byteLength, answer.truncated]).toEqual([Math.min(size, maxBytes), truncated]);
    });

    it('does not unpack', async () => {
      const bomb = gzipSync(Buffer.alloc(1_000_000));
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
      const server = await calls.saying(Buffer.concat([Buffer.from(head), bomb]));
      const answer = await calls.egress().request({ url: urlOf(server) });
      expect(bomb.equals(answer.body)).toBe(true);
    });
  });
});

import { Calls, failureOf, name, ok, urlOf } from '../test/calls.js';
import { httpServer } from '../test/loopback.js';
import { parseAllowedRanges } from './rules/address-rules.js';

describe('createEgress', () => {
  const calls = new Calls();
  afterEach(() => calls.closeAll());

  it('sends method, headers and body, and gives status, headers and body', async () => {
    const server = await calls.serve(
      httpServer((incoming, answer) => {
        void incoming.toArray().then((chunks) => {
          answer.writeHead(418, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
          const { host, 'x-id': id, 'accept-encoding': encoding } = incoming.headers;
          answer.end(JSON.stringify({ method: incoming.method, host, id, encoding, body: chunks.join('') }));
        });
      }),
    );
    const headers = { 'X-Id': '1', 'content-type': 'application/json' };
    const answer = await calls
      .egress()
      .request({ url: urlOf(server), method: 'PUT', headers, body: '{"é":1}' });
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
    const server = await calls.saying(ok('inside'));
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const resolve = (): Promise<string[]> => Promise.resolve(answers.shift() ?? []);
    const guarded = calls.egress({ allowed: parseAllowedRanges(''), resolve });
    expect((await guarded.check(urlOf(server))).ok).toBe(true);
    expect((await failureOf(guarded.request({ url: urlOf(server) }))).kind).toBe('forbidden');
    expect(answers).toEqual([]);
    expect(server.connections()).toBe(0);
    // The same call reaches the server where the range is open: the count would have seen it.
    await calls.egress().request({ url: urlOf(server) });
    expect(server.connections()).toBe(1);
  });

  it('checks every new connection, not only the first', async () => {
    const server = await calls.saying(ok('once'), (socket) => socket.end());
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const guarded = calls.egress({ resolve: () => Promise.resolve(answers.shift() ?? []) });
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
    const verdict = await calls.egress().check(url);
    const failure = await failureOf(calls.egress().request({ url }));
    expect([failure.kind, { ok: false, reason: failure.message }]).toEqual(['forbidden', verdict]);
  });

  it('gives a redirect to the inside as the answer it is', async () => {
    const inside = await calls.saying(ok('inside'));
    const server = await calls.saying(
      `HTTP/1.1 307 X\r\nlocation: ${urlOf(inside)}\r\ncontent-length: 0\r\n\r\n`,
    );
    const { status, headers } = await calls.egress().request({ url: urlOf(server) });
    expect([status, headers.get('location')]).toEqual([307, urlOf(inside)]);
    expect(inside.connections()).toBe(0);
  });

  it('uses a connection again, for calls one after another', async () => {
    const server = await calls.serve(httpServer((_incoming, answer) => answer.end('x'.repeat(100_000))));
    const client = calls.egress();
    for (let call = 0; call < 6; call += 1) {
      await client.request({ url: urlOf(server), method: 'POST', body: 'x' });
    }
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  describe('giving up', () => {
    it('connects to nobody when given up before', async () => {
      const server = await calls.saying(ok(''));
      const failure = await failureOf(
        calls.egress().request({ url: urlOf(server), signal: AbortSignal.abort() }),
      );
      expect(failure).toMatchObject({ kind: 'aborted', message: 'The call was given up.' });
      expect(server.connections()).toBe(0);
    });

    it.each([
      ['waiting for the answer', ''],
      ['reading the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
    ])('hangs up while %s', async (_case, start) => {
      const controller = new AbortController();
      const server = await calls.saying(start, () => setImmediate(() => controller.abort()));
      const failure = await failureOf(
        calls.egress().request({ url: urlOf(server), signal: controller.signal }),
      );
      expect(failure.kind).toBe('aborted');
      await server.idle();
    });

    it('gives up while connecting, and sends nothing later', async () => {
      const server = await calls.hearing();
      const controller = new AbortController();
      let answerDns: (addresses: string[]) => void = () => undefined;
      const resolve = (): Promise<string[]> =>
        new Promise((settle) => {
          answerDns = settle;
          controller.abort();
        });
      const client = calls.egress({ resolve });
      const failure = await failureOf(client.request({ url: urlOf(server), signal: controller.signal }));
      expect(failure.kind).toBe('aborted');
      answerDns(['127.0.0.1']);
      await client.close();
      await server.idle();
      expect(server.received).toEqual([]);
    });

    it('closes after the calls under way, and takes no more', async () => {
      const server = await calls.serve(
        httpServer((_incoming, answer) => void setImmediate(() => answer.end('done'))),
      );
      const client = calls.egress();
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

import { httpServer, tcpServer, type LoopbackServer } from '../test/loopback.js';
import { parseAllowedRanges } from './rules/address-rules.js';
import { createEgress, type Egress } from './egress.js';

const name = 'mcp.example.com';

describe('fetch of an egress', () => {
  let server: LoopbackServer;
  let egress: Egress;
  const url = (path: string): string => `http://${name}:${server.port}${path}`;

  beforeEach(async () => {
    server = await httpServer((incoming, answer) => {
      const [, path = '', detail = ''] = incoming.url?.split('/') ?? [];
      if (path === 'status') answer.writeHead(Number(detail), { location: url('/inside') }).end();
      else if (path === 'size') answer.end('x'.repeat(Number(detail)));
      else if (path === 'stream') answer.write('first');
      else {
        void incoming.toArray().then((chunks) => {
          const { method, headers } = incoming;
          answer.setHeader('content-type', 'application/json');
          answer.end(
            JSON.stringify({
              method,
              type: headers['content-type'],
              id: headers['x-id'],
              body: chunks.join(''),
            }),
          );
        });
      }
    });
    egress = createEgress({
      allowed: parseAllowedRanges('127.0.0.0/8'),
      resolve: () => Promise.resolve(['127.0.0.1']),
      maxBytes: 1_000,
      timeoutMs: 2_000,
    });
  });
  afterEach(async () => {
    await egress.close();
    await server.close();
  });

  it('answers with the classes and fields that SDKs expect', async () => {
    const response = await egress.fetch(url('/echo'));
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, status: 200, redirected: false, url: url('/echo') });
    expect(await response.json()).toEqual({ method: 'GET', body: '' });
  });

  it('takes a URL, a Request, headers and bodies of every kind', async () => {
    const json = { method: 'POST', headers: { 'x-id': '1' }, body: '{}' };
    const text = { method: 'POST', type: 'text/plain;charset=UTF-8', id: '1', body: '{}' };
    expect(await (await egress.fetch(new URL(url('/echo')), json)).json()).toEqual(text);
    expect(await (await egress.fetch(new Request(url('/echo'), json))).json()).toEqual(text);
    const form = await egress.fetch(url('/echo'), {
      method: 'POST',
      body: new URLSearchParams({ a: 'b c' }),
    });
    expect(await form.json()).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: 'a=b+c',
    });
  });

  it.each([
    'http://localhost/',
    'http://10.0.0.1/',
    'http://user@example.com/',
    'file:///etc/passwd',
    'nonsense',
  ])('refuses %s', async (address) => {
    await expect(egress.fetch(address)).rejects.toMatchObject({ name: 'EgressError', kind: 'forbidden' });
  });

  it('does not connect to the inside', async () => {
    const guarded = createEgress({
      allowed: parseAllowedRanges(''),
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    await expect(guarded.fetch(url('/echo'))).rejects.toMatchObject({ kind: 'forbidden' });
    expect(server.connections()).toBe(0);
    await guarded.close();
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const response = await egress.fetch(url(`/status/${status}`), { redirect: 'follow' });
    expect([response.status, response.headers.get('location')]).toEqual([status, url('/inside')]);
    await expect(egress.fetch(url(`/status/${status}`), { redirect: 'error' })).rejects.toMatchObject({
      kind: 'protocol',
      message: 'The answer is a redirect.',
    });
  });

  it.each([204, 205, 304])('gives a %i without a body', async (status) => {
    const response = await egress.fetch(url(`/status/${status}`));
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('refuses a status that is none', async () => {
    const odd = await tcpServer((socket) => socket.end('HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n'));
    await expect(egress.fetch(`http://${name}:${odd.port}/`)).rejects.toMatchObject({ kind: 'protocol' });
    await odd.close();
  });

  it('fails a body that is too large rather than cut it', async () => {
    expect(await (await egress.fetch(url('/size/1000'))).text()).toHaveLength(1_000);
    const response = await egress.fetch(url('/size/100000'));
    await expect(response.text()).rejects.toMatchObject({
      kind: 'protocol',
      message: 'The answer is larger than 1000 bytes.',
    });
  });

  it('streams, and hangs up when the reader leaves', async () => {
    const response = await egress.fetch(url('/stream'));
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    await reader?.cancel();
    await server.idle();
  });

  it('fails a stream that goes on past the time of a call', async () => {
    const response = await egress.fetch(url('/stream'));
    await expect(response.text()).rejects.toMatchObject({ kind: 'timeout' });
    await server.idle();
  });

  it('gives the reason of the signal, before the answer and within it', async () => {
    const reason = new Error('enough');
    await expect(egress.fetch(url('/echo'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const response = await egress.fetch(new Request(url('/stream'), { signal: controller.signal }));
    controller.abort(reason);
    await expect(response.text()).rejects.toBe(reason);
    await server.idle();
  });
});

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseAllowedRanges, type Resolve } from '@aos/egress';
import { ForwardProxy, type MissedConnection } from '../src/guard/forward-proxy.js';
import { site, type Site } from './site.js';

const loopback = '127.0.0.0/8';
const at =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses);

describe('the proxy of a session', () => {
  let server: Site;
  let proxy: ForwardProxy;
  let missed: MissedConnection[];

  beforeEach(async () => {
    missed = [];
    server = await site({
      '/': (incoming, answer) => {
        answer.writeHead(200, ['X-Odd', 'a', 'X-Odd', 'b', 'Connection', 'x-hop', 'X-Hop', 'gone']);
        answer.end(JSON.stringify(incoming.headers));
      },
      '/echo': (incoming, answer) => void incoming.pipe(answer),
      '/cut': (_incoming, answer) => void answer.socket?.destroy(),
    });
  });
  afterEach(async () => {
    await proxy.close();
    await server.close();
  });

  async function listen(ranges: string, resolve: Resolve = at()): Promise<void> {
    proxy = await ForwardProxy.listen({ rules: { allowed: parseAllowedRanges(ranges), resolve } });
    proxy.onMissed = (connection) => missed.push(connection);
  }

  const passport = (password = proxy.password): string =>
    `Basic ${Buffer.from(`${proxy.username}:${password}`).toString('base64')}`;

  interface Asked {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }

  async function ask(
    url: string,
    { method, headers, body }: Asked = {},
  ): Promise<IncomingMessage & { body: string }> {
    const outgoing = request({
      host: '127.0.0.1',
      port: proxy.port,
      path: url,
      method,
      headers: headers ?? { 'proxy-authorization': passport(), host: 'liar.example.com' },
    });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return Object.assign(answer, { body: await text(answer) });
  }

  async function tunnel(
    authority: string,
    authorisation = passport(),
  ): Promise<{ status: number; socket: Socket }> {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\nproxy-authorization: ${authorisation}\r\n\r\n`,
    );
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return { status: Number(bytes.toString().split(' ')[1]), socket };
  }

  it('hands requests on without its password and with the host that it judged', async () => {
    await listen(loopback);
    const answer = await ask(`${server.url}/?a=b`, {
      headers: {
        'proxy-authorization': passport(),
        host: 'liar.example.com',
        'x-kept': 'yes',
        te: 'trailers',
      },
    });
    const sent = JSON.parse(answer.body) as Record<string, string>;
    expect(answer.statusCode).toBe(200);
    expect(server.seen).toEqual(['/?a=b']);
    expect(sent).toEqual({ host: `127.0.0.1:${server.port}`, 'x-kept': 'yes', connection: 'close' });
    expect(answer.headers['x-odd']).toBe('a, b');
    expect(answer.headers['x-hop']).toBeUndefined();
    expect(missed).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('hands on %s with its body', async (method) => {
    await listen(loopback);
    const body = 'x'.repeat(300_000);
    const headers = { 'proxy-authorization': passport(), 'content-length': String(body.length) };
    expect((await ask(`${server.url}/echo`, { method, headers, body })).body === body).toBe(true);
  });

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'does not connect to the literal %s',
    async (host) => {
      await listen('', at('1.1.1.1'));
      const answer = await ask(`http://${host}:${server.port}/`);
      expect([answer.statusCode, answer.body]).toEqual([
        403,
        'The host of the URL is a private, local or reserved address.\n',
      ]);
      expect((await tunnel(`${host}:${server.port}`)).status).toBe(403);
      expect(missed.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
      expect(server.connections()).toBe(0);
    },
  );

  it.each(['127.0.0.1', '1.1.1.1 127.0.0.1', '::ffff:127.0.0.1', '::1'])(
    'does not connect to a name that resolves to %s',
    async (addresses) => {
      await listen('', at(...addresses.split(' ')));
      expect((await ask(`http://site.example.com:${server.port}/`)).statusCode).toBe(403);
      expect((await tunnel(`site.example.com:${server.port}`)).status).toBe(403);
      expect(missed).toEqual([
        {
          url: `http://site.example.com:${server.port}/`,
          kind: 'refused',
          reason: 'The host of the URL resolves to a private, local or reserved address.',
        },
        expect.objectContaining({ url: `https://site.example.com:${server.port}/`, kind: 'refused' }),
      ]);
      expect(server.connections()).toBe(0);
    },
  );

  it.each(['localhost', 'api.localhost', 'redis', 'printer.local', 'metadata.google.internal'])(
    'does not connect to %s, whatever is open',
    async (host) => {
      await listen('0.0.0.0/0,::/0', at('127.0.0.1'));
      expect((await ask(`http://${host}:${server.port}/`)).statusCode).toBe(403);
      expect((await tunnel(`${host}:${server.port}`)).status).toBe(403);
      expect(server.connections()).toBe(0);
    },
  );

  it('gains a rebinding name nothing: every connection is judged by the answer that it uses', async () => {
    const other = await site({ '/': 'inside' }, '127.0.0.2');
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2'];
    let asked = 0;
    await listen('127.0.0.1/32', () => Promise.resolve([answers[asked++] ?? '']));
    const name = `http://site.example.com:${server.port}/`;
    expect((await ask(name)).statusCode).toBe(200);
    expect((await ask(name)).statusCode).toBe(403);
    const open = await tunnel(`site.example.com:${server.port}`);
    expect(open.status).toBe(200);
    open.socket.destroy();
    expect((await tunnel(`site.example.com:${other.port}`)).status).toBe(403);
    expect(asked).toBe(4);
    expect(other.connections()).toBe(0);
    await other.close();
  });

  it('makes tunnels to what is open', async () => {
    await listen(loopback, at('127.0.0.1'));
    const { status, socket } = await tunnel(`site.example.com:${server.port}`);
    expect(status).toBe(200);
    socket.write('GET /missing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toContain('HTTP/1.1 404 Not Found');
    expect(server.seen).toEqual(['/missing']);
  });

  it.each([['site.example.com:22'], ['127.0.0.1:25'], ['127.0.0.1:6000']])(
    'makes no tunnel to the port of another protocol: %s',
    async (authority) => {
      await listen(loopback, at('127.0.0.1'));
      expect((await tunnel(authority)).status).toBe(403);
    },
  );

  it.each(['', '127.0.0.1', 'user@127.0.0.1:80', 'http://127.0.0.1:80/', ':80'])(
    'does not take CONNECT %j',
    async (authority) => {
      await listen(loopback);
      expect([400, 403]).toContain((await tunnel(authority)).status);
    },
  );

  it('is of use to nobody without its password', async () => {
    await listen(loopback);
    const wrong = { 'proxy-authorization': passport('guess') };
    for (const headers of [{}, wrong]) {
      const answer = await ask(`${server.url}/`, { headers });
      expect([answer.statusCode, answer.headers['proxy-authenticate']]).toEqual([
        407,
        'Basic realm="browser"',
      ]);
    }
    expect((await tunnel(`127.0.0.1:${server.port}`, passport('guess'))).status).toBe(407);
    expect(server.connections()).toBe(0);
  });

  it('gives every session a password of its own', async () => {
    await listen(loopback);
    const other = await ForwardProxy.listen({ rules: { allowed: parseAllowedRanges(loopback) } });
    const answer = await ask(`${server.url}/`, {
      headers: { 'proxy-authorization': passport(other.password) },
    });
    await other.close();
    expect(answer.statusCode).toBe(407);
  });

  it('takes whole http addresses only, and no TRACE', async () => {
    await listen(loopback);
    expect((await ask('/')).statusCode).toBe(400);
    expect((await ask(`https://127.0.0.1:${server.port}/`)).statusCode).toBe(400);
    expect((await ask('ftp://127.0.0.1/')).statusCode).toBe(400);
    expect((await ask(`${server.url}/`, { method: 'TRACE' })).statusCode).toBe(405);
    expect(server.connections()).toBe(0);
  });

  it('says why there is no answer', async () => {
    await listen(loopback);
    const closed = await site({});
    await closed.close();
    expect((await ask(`${closed.url}/`)).statusCode).toBe(502);
    expect((await tunnel(`127.0.0.1:${closed.port}`)).status).toBe(502);
    expect((await ask('http://nowhere.example.com/')).statusCode).toBe(502);
    expect((await ask(`${server.url}/cut`)).statusCode).toBe(502);
    expect(missed.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([
      'unreachable: The connection could not be made.',
      'unreachable: The connection could not be made.',
      'unreachable: The host name does not resolve.',
      'unreachable: The connection broke off before the answer was complete.',
    ]);
  });

  it('gives up what does not connect in time', async () => {
    const rules = {
      allowed: parseAllowedRanges(loopback),
      resolve: () => new Promise<string[]>(() => undefined),
    };
    proxy = await ForwardProxy.listen({ rules, connectTimeoutMs: 50 });
    const answer = await ask('http://slow.example.com/');
    expect([answer.statusCode, answer.body]).toEqual([502, 'The connection was not made in time.\n']);
  });

  it('ends its tunnels when it is closed', async () => {
    await listen(loopback);
    const { socket } = await tunnel(`127.0.0.1:${server.port}`);
    const ended = once(socket, 'close');
    await proxy.close();
    await ended;
    expect(socket.destroyed).toBe(true);
  });
});

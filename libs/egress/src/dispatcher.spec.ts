import { request, type Agent } from 'undici';
import { httpServer, type LoopbackServer } from '../test/loopback.js';
import { parseAllowedRanges } from './rules/address-rules.js';
import { guardedAgent } from './dispatcher.js';
import type { Resolve } from './rules/resolve.js';

const name = 'hooks.example.com';
const loopback = '127.0.0.0/8';
const forbidden = { code: 'EGRESS_FORBIDDEN' };

describe('guardedAgent', () => {
  let server: LoopbackServer;
  let agent: Agent | undefined;

  beforeEach(async () => {
    server = await httpServer((incoming, answer) => {
      if (incoming.url === '/moved')
        answer.writeHead(302, { location: `http://127.0.0.1:${server.port}/inside` });
      answer.end(`${incoming.headers.host} ${incoming.url}`);
    });
  });
  afterEach(async () => {
    await agent?.destroy();
    await server.close();
  });

  async function get(url: string, ranges: string, resolve: Resolve): Promise<string> {
    agent ??= guardedAgent({ allowed: parseAllowedRanges(ranges), resolve });
    const { statusCode, body } = await request(url, { dispatcher: agent });
    return `${statusCode} ${await body.text()}`;
  }
  const at =
    (...addresses: string[]): Resolve =>
    () =>
      Promise.resolve(addresses);
  afterEach(() => (agent = undefined));

  it('connects to the address it was told, under the name it was given', async () => {
    const url = `http://${name}:${server.port}/a?b=c`;
    expect(await get(url, loopback, at('127.0.0.1'))).toBe(`200 ${name}:${server.port} /a?b=c`);
    expect(server.connections()).toBe(1);
  });

  it.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['0.0.0.0'], ['::']])(
    'does not connect to a name that resolves to %s',
    async (address) => {
      await expect(get(`http://${name}:${server.port}/`, '', at(address))).rejects.toMatchObject(forbidden);
      expect(server.connections()).toBe(0);
    },
  );

  it('does not connect when one of several addresses is of the inside', async () => {
    const addresses = at('127.0.0.1', '127.0.0.1', '10.0.0.1');
    await expect(get(`http://${name}:${server.port}/`, loopback, addresses)).rejects.toMatchObject(forbidden);
    expect(server.connections()).toBe(0);
  });

  it.each(['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'does not connect to the literal %s, which sockets never look up',
    async (host) => {
      await expect(get(`http://${host}:${server.port}/`, '', at('1.1.1.1'))).rejects.toMatchObject(forbidden);
      expect(server.connections()).toBe(0);
    },
  );

  it.each(['localhost', 'localhost.', 'api.localhost', 'printer.local', 'redis'])(
    'does not connect to %s, whatever is open',
    async (host) => {
      const url = `http://${host}:${server.port}/`;
      await expect(get(url, '0.0.0.0/0,::/0', at('127.0.0.1'))).rejects.toMatchObject(forbidden);
      expect(server.connections()).toBe(0);
    },
  );

  it('connects to a literal of an allowed range', async () => {
    expect(await get(`http://127.0.0.1:${server.port}/`, loopback, at())).toContain('200');
  });

  it('asks once for a connection: a second answer would not have been checked', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolve: Resolve = () => Promise.resolve(answers.shift() ?? []);
    expect(await get(`http://${name}:${server.port}/`, loopback, resolve)).toContain('200');
    expect(answers).toEqual([['10.0.0.1']]);
  });

  it('judges the peer again once connected', async () => {
    // The kernel takes 0.0.0.0 for the machine itself, so the socket ends at 127.0.0.1.
    await expect(get(`http://${name}:${server.port}/`, '0.0.0.0/32', at('0.0.0.0'))).rejects.toMatchObject(
      forbidden,
    );
    await server.idle();
  });

  it('uses a connection again', async () => {
    for (const path of ['/1', '/2', '/3', '/4', '/5', '/6']) {
      expect(await get(`http://${name}:${server.port}${path}`, loopback, at('127.0.0.1'))).toContain(path);
    }
    // A connection is free one turn after its answer, so that a hasty caller gets a second one.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('does not follow a redirect', async () => {
    const answer = await get(`http://${name}:${server.port}/moved`, loopback, at('127.0.0.1'));
    expect(answer).toBe(`302 ${name}:${server.port} /moved`);
    expect(server.connections()).toBe(1);
  });

  it('reports a name without addresses', async () => {
    await expect(get(`http://${name}/`, loopback, at())).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('tries the next address when one does not answer', async () => {
    const url = `http://${name}:${server.port}/`;
    expect(await get(url, `${loopback},::1/128`, at('::1', '127.0.0.1'))).toContain('200');
  });
});

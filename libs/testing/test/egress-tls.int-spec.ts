import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { createEgress, parseAllowedRanges, type Egress } from '@aos/egress';
import { selfSigned } from '../src/index.js';

const name = 'hooks.example.com';

describe('an outgoing request over TLS', () => {
  const asked: string[] = [];
  let server: Server;
  let port: number;
  let connections: number;
  let egress: Egress | undefined;

  beforeEach(async () => {
    asked.length = 0;
    connections = 0;
    server = createServer({
      ...selfSigned(name),
      SNICallback: (servername, done) => {
        asked.push(servername);
        done(null);
      },
    });
    server.on('connection', () => (connections += 1)).on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(async () => {
    await egress?.close();
    server.close();
  });

  function request(host: string, ranges: string): Promise<unknown> {
    egress = createEgress({
      allowed: parseAllowedRanges(ranges),
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    return egress.request({ url: `https://${host}:${port}/` });
  }

  it('asks for the name, and does not trust just any certificate', async () => {
    await expect(request(name, '127.0.0.0/8')).rejects.toMatchObject({
      kind: 'connect',
      message: 'The TLS handshake failed.',
    });
    expect(asked).toEqual([name]);
  });

  it.each([name, '127.0.0.1'])('does not connect to the inside as %s', async (host) => {
    await expect(request(host, '')).rejects.toMatchObject({ kind: 'forbidden' });
    expect(connections).toBe(0);
  });
});

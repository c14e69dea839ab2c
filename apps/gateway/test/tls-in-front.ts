import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export interface TlsInFront {
  readonly port: number;
  /** Connections that were made with TLS. */
  readonly secured: () => number;
  close(): Promise<void>;
}

/** Takes TLS only, and passes what it hears to a server on this machine that has none. */
export async function tlsInFront(
  target: string,
  certificate: { key: string; cert: string },
): Promise<TlsInFront> {
  const { hostname, port, protocol } = new URL(target);
  const sockets = new Set<Socket>();
  let secured = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    const begin = () => {
      const secure = new TLSSocket(socket, { isServer: true, ...certificate });
      const onward = connect(Number(port), hostname);
      secure.once('secure', () => (secured += 1));
      for (const side of [secure, onward])
        side.on('error', () => [secure, onward].map((one) => one.destroy()));
      onward.on('close', () => socket.destroy());
      secure.on('close', () => onward.destroy());
      secure.pipe(onward).pipe(secure);
    };
    if (!protocol.startsWith('postgres')) return begin();
    // Postgres is asked for TLS in a word of its own.
    socket.once('data', (asked: Buffer) => {
      if (!asked.equals(sslRequest)) return socket.destroy();
      socket.write('S');
      begin();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    secured: () => secured,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

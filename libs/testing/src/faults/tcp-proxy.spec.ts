import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { eventually } from '../eventually.js';
import { directions } from './proxied-connection.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** Answers each message with the same. */
async function startEcho(): Promise<Server> {
  const server = createServer((socket) => void socket.pipe(socket).on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Caller {
  send(text: string): void;
  /** Everything that came back. */
  heard(): string;
  readonly socket: Socket;
}

describe('a TCP proxy', () => {
  let server: Server;
  let proxy: TcpProxy;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = await startEcho();
    proxy = await startTcpProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const call = async (): Promise<Caller> => {
    const socket = connect({ host: '127.0.0.1', port: proxy.port });
    sockets.push(socket);
    let heard = '';
    socket.on('data', (bytes) => (heard += bytes.toString())).on('error', () => undefined);
    const caller = { socket, send: (text: string) => void socket.write(text), heard: () => heard };
    caller.send('hello ');
    await eventually(() => expect(heard).toBe('hello '));
    return caller;
  };
  const answered = (caller: Caller, text: string) =>
    eventually(() => expect(caller.heard()).toBe(`hello ${text}`));
  const passed = async (work: () => Promise<void>) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };

  it('delays what passes, in its order, each way', async () => {
    const caller = await call();
    proxy.delay(150);
    const ms = await passed(async () => {
      for (const text of ['a', 'b', 'c']) caller.send(text);
      await answered(caller, 'abc');
    });
    expect(ms).toBeGreaterThan(290);
    const later = await passed(async () => void (await call()));
    expect(later).toBeGreaterThan(290);
  });

  it('lets so many bytes pass in a second', async () => {
    const caller = await call();
    proxy.throttle(10_000);
    const text = 'x'.repeat(5_000);
    const ms = await passed(async () => {
      caller.send(text);
      await answered(caller, text);
    });
    expect(ms).toBeGreaterThan(400);
    proxy.heal();
    caller.send(text);
    await answered(caller, text + text);
  });

  it.each(directions)('loses what goes %s until it is healed, of one connection', async (direction) => {
    const [lost, other] = [await call(), await call()];
    proxy.connections[0]!.lose(direction);
    lost.send('late');
    other.send('early');
    await answered(other, 'early');
    expect(lost.heard()).toBe('hello ');
    proxy.heal();
    await answered(lost, 'late');
  });

  it('freezes one connection for good', async () => {
    const [frozen, other] = [await call(), await call()];
    const [connection] = proxy.connections;
    expect(connection!.storeSidePort).toBeGreaterThan(0);
    connection!.freeze();
    frozen.send('unheard');
    other.send('heard');
    await answered(other, 'heard');
    proxy.heal();
    expect(frozen.heard()).toBe('hello ');
    expect(frozen.socket.destroyed).toBe(false);
  });

  it('leads new connections to another store', async () => {
    const caller = await call();
    await new Promise<void>((resolve) => {
      const other = createServer((socket) => {
        socket.end('other');
        other.close();
      }).listen(0, '127.0.0.1', () => {
        proxy.leadTo(`tcp://127.0.0.1:${(other.address() as AddressInfo).port}`);
        resolve();
      });
    });
    let heard = '';
    const socket = connect({ host: '127.0.0.1', port: proxy.port }).on(
      'data',
      (bytes) => (heard += bytes.toString()),
    );
    sockets.push(socket);
    await eventually(() => expect(heard).toBe('other'));
    caller.send('still');
    await answered(caller, 'still');
  });
});

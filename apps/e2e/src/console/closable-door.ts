import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** An address that leads to another one, and can be shut: what is behind it is away then, as when it is restarted. */
export class ClosableDoor {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private server: Server,
    private readonly target: URL,
    readonly url: string,
  ) {}

  static async open(target: string): Promise<ClosableDoor> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const door = new ClosableDoor(server, new URL(target), url);
    server.on('connection', (socket) => door.pass(socket));
    return door;
  }

  /** Cuts what is open and takes nothing more. */
  async shut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async reopen(): Promise<void> {
    this.server = createServer((socket) => this.pass(socket));
    await once(this.server.listen(Number(new URL(this.url).port), '127.0.0.1'), 'listening');
  }

  private pass(client: Socket): void {
    const behind = connect({ host: this.target.hostname, port: Number(this.target.port) });
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => (this.sockets.delete(from), to.destroy()));
      from.pipe(to);
    }
  }
}

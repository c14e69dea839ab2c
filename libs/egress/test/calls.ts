import type { Socket } from 'node:net';
import {
  createEgress,
  EgressError,
  parseAllowedRanges,
  type Egress,
  type EgressOptions,
} from '../src/index.js';
import { tcpServer, type LoopbackServer } from './loopback.js';

/** The name under which every server of a test is called. */
export const name = 'hooks.example.com';
export const urlOf = ({ port }: { port: number }): string => `http://${name}:${port}/`;
export const ok = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** What a test opened, closed after it. */
export class Calls {
  private readonly opened: { close(): Promise<unknown> }[] = [];

  async closeAll(): Promise<void> {
    for (const thing of this.opened.splice(0).reverse()) await thing.close();
  }

  /** Loopback is open, and every name leads there, unless the test says otherwise. */
  egress(options: Partial<EgressOptions> = {}): Egress {
    const egress = createEgress({
      allowed: parseAllowedRanges('127.0.0.0/8'),
      resolve: () => Promise.resolve(['127.0.0.1']),
      ...options,
    });
    this.opened.push(egress);
    return egress;
  }

  async serve<T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    this.opened.push(server);
    return server;
  }

  /** A server that answers every request with these bytes, right or wrong. */
  saying(bytes: string | Buffer, then?: (socket: Socket) => void): Promise<LoopbackServer> {
    return this.serve(
      tcpServer((socket) => {
        socket.on('data', () => {
          socket.write(bytes);
          then?.(socket);
        });
      }),
    );
  }

  /** A server that listens, and keeps what it hears. */
  async hearing(): Promise<LoopbackServer & { readonly received: Buffer[] }> {
    const received: Buffer[] = [];
    const server = tcpServer((socket) => socket.on('data', (chunk: Buffer) => received.push(chunk)));
    return { ...(await this.serve(server)), received };
  }
}

export async function failureOf(call: Promise<unknown>): Promise<EgressError> {
  const error: unknown = await call.then(
    () => new Error('The call did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof EgressError) return error;
  throw error;
}

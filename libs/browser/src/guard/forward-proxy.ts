import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ForbiddenAddress } from '@aos/egress';
import { connectGuarded, judge, Unreachable, type EgressRules } from './guarded-connect.js';
import { relay } from './relay.js';

/** A connection that was not made: refused by the guard, or impossible. The reason can be shown to a team. */
export interface MissedConnection {
  /** What was asked for; of a tunnel, whose inside the proxy does not see, the root of its host with https. */
  readonly url: string;
  readonly kind: 'refused' | 'unreachable';
  readonly reason: string;
}

export interface ForwardProxyOptions {
  readonly rules: EgressRules;
  readonly connectTimeoutMs?: number;
}

const maxHeaderBytes = 65_536;
const challenge = { 'proxy-authenticate': 'Basic realm="browser"' };

/**
 * The only way out of a browser: a proxy on loopback that connects to what the guard allows. A client needs
 * its password, so that no other process or session can.
 */
export class ForwardProxy {
  readonly username = 'browser';
  readonly password = randomBytes(24).toString('base64url');
  onMissed: (missed: MissedConnection) => void = () => undefined;
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();

  private constructor(private readonly options: ForwardProxyOptions) {
    // No limit on the time of a request: an upload may take long, and the session ends it.
    this.server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0 });
    this.server.on('connection', (socket) => this.keep(socket));
    this.server.on('request', (request, response) => void this.onRequest(request, response));
    this.server.on('connect', (request, socket, head) => void this.onConnect(request, socket, head));
    // Chromium asks for a tunnel instead.
    this.server.on('upgrade', (_request, socket) => answerRaw(socket, 400, 'Use CONNECT to upgrade.'));
  }

  static async listen(options: ForwardProxyOptions): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(options);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isAuthorised(request)) return answer(response, 407, 'The proxy needs its password.', challenge);
    const target = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(request.url ?? '');
    if (!target) return answer(response, 400, 'The proxy takes http:// and CONNECT.');
    if (['TRACE', 'TRACK'].includes(request.method ?? ''))
      return answer(response, 405, 'The method is not allowed.');
    const [, authority = '', path = ''] = target;
    try {
      // Of the origin alone: the rules about the length of a URL are not for what pages ask for.
      const url = judge(`http://${authority}/`, this.options.rules);
      const socket = await this.connect(url);
      await relay(request, response, {
        socket,
        host: url.host,
        path: path.startsWith('/') ? path : `/${path}`,
      });
    } catch (error) {
      // Broken off half-way, or given up by the browser: then no client waits for an answer.
      if (response.headersSent || response.destroyed) return void response.destroy();
      const { status, reason } = this.miss(`http://${authority}${path}`, error);
      answer(response, status, reason);
    }
  }

  private async onConnect(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    if (!this.isAuthorised(request))
      return answerRaw(client, 407, 'The proxy needs its password.', challenge);
    const authority = request.url ?? '';
    if (!/^[^/?#@\\]+:\d{1,5}$/.test(authority))
      return answerRaw(client, 400, 'CONNECT needs a host and a port.');
    try {
      const upstream = await this.connect(judge(`https://${authority}/`, this.options.rules));
      if (client.destroyed) return void upstream.destroy();
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroy());
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    } catch (error) {
      const { status, reason } = this.miss(`https://${authority}/`, error);
      answerRaw(client, status, reason);
    }
  }

  private async connect(url: URL): Promise<Socket> {
    const socket = await connectGuarded(url, this.options.rules, this.options.connectTimeoutMs ?? 10_000);
    this.keep(socket);
    if (!this.server.listening) socket.destroy();
    return socket;
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  private miss(url: string, error: unknown): { status: number; reason: string } {
    const refused = error instanceof ForbiddenAddress;
    const known = refused || error instanceof Unreachable;
    const reason = known ? error.message : 'The connection broke off before the answer was complete.';
    this.onMissed({ url: normal(url), kind: refused ? 'refused' : 'unreachable', reason });
    return { status: refused ? 403 : 502, reason };
  }

  private isAuthorised({ headers }: IncomingMessage): boolean {
    const expected = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`;
    return timingSafeEqual(digest(headers['proxy-authorization'] ?? ''), digest(expected));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function normal(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`${text}\n`);
}

/** After CONNECT there is no response object any more. */
function answerRaw(socket: Duplex, status: number, text: string, headers: Record<string, string> = {}): void {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${text}`);
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Site {
  readonly port: number;
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly seen: string[];
  /** How many connections were made to it, ever. */
  connections(): number;
  close(): Promise<void>;
}

type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A web site on loopback: for each path a page, or a function that answers; all else is 404. */
export async function site(pages: Readonly<Record<string, Answer>>, host = '127.0.0.1'): Promise<Site> {
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    const answer = pages[path.split('?')[0] ?? ''];
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(answer ?? 'not found');
  };
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    seen,
    connections: () => connections,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

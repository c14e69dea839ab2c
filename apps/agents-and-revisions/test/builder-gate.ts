import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a model server and keeps every request until it is let through. */
export interface Gate {
  readonly url: string;
  /** Requests that stand before it now. */
  readonly waiting: number;
  /** Lets the one through that came first. */
  letOneThrough(): void;
  close(): Promise<void>;
}

export async function startGate(targetUrl: string): Promise<Gate> {
  const waiting: (() => void)[] = [];
  const { origin, pathname } = new URL(targetUrl);
  const server = createServer((request, response) => {
    waiting.push(() => forward(new URL(request.url ?? '', origin), request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    get waiting() {
      return waiting.length;
    },
    letOneThrough: () => waiting.shift()?.(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const passed = send(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
  /** `X-Service-Delivery`; empty where the sender gave none. */
  readonly id: string;
  /** `X-Service-Event`; empty where the sender gave none. */
  readonly event: string;
  readonly headers: IncomingHttpHeaders;
  /** The very bytes, for signatures. */
  readonly rawBody: Buffer;
  readonly receivedAt: Date;
  /** With the query. */
  readonly path: string;
}

/** What the receiver does with one delivery. */
export type ReceiverAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly delayMs?: number;
      /** Holds the answer back until then. */
      readonly until?: Promise<unknown>;
    }
  /** Never answers. */
  | 'hang'
  /** Resets the connection. */
  | 'reset'
  /** Answers with bytes that are not HTTP. */
  | 'garbage';

/** `timesSeen` counts this delivery too: 1 when its id is new. */
export type ReceiverBehaviour = (delivery: ReceivedDelivery, timesSeen: number) => ReceiverAnswer;

export interface WebhookReceiver {
  url(path?: string): string;
  /** All that came so far, repetitions too, in the order of their last byte. */
  readonly received: readonly ReceivedDelivery[];
  /** How it answers from now on; 200 until it is told otherwise. */
  behave(behaviour: ReceiverBehaviour): void;
  /** The different ids that came so far. */
  ids(): Set<string>;
  /** From now on connections are refused; those that are open break. */
  down(): Promise<void>;
  /** Back on the same port. */
  up(): Promise<void>;
  /** Ends at once, whatever hangs. */
  close(): Promise<void>;
}

/** A stand-in for the receiver of webhooks over real HTTP: it takes, refuses, delays, hangs, breaks and goes away. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const timesSeen = new Map<string, number>();
  let behaviour: ReceiverBehaviour = () => ({ status: 200 });

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A request that breaks off has no end, and is not a delivery.
    request.on('end', () => {
      const delivery = readDelivery(request, Buffer.concat(chunks));
      const times = (timesSeen.get(delivery.id) ?? 0) + 1;
      timesSeen.set(delivery.id, times);
      received.push(delivery);
      answer(behaviour(delivery, times), response);
    });
  });

  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    ids: () => new Set(timesSeen.keys()),
    down: stop,
    up: () => listen(port),
    close: stop,
  };
}

function readDelivery({ headers, url = '/' }: IncomingMessage, rawBody: Buffer): ReceivedDelivery {
  const header = (name: string) => String(headers[name] ?? '');
  return {
    id: header('x-service-delivery'),
    event: header('x-service-event'),
    headers,
    rawBody,
    receivedAt: new Date(),
    path: url,
  };
}

function answer(reply: ReceiverAnswer, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  if (reply === 'garbage') return void response.socket?.end('these bytes are not HTTP\r\n\r\n');
  const { status, headers, body, delayMs, until } = reply;
  const send = () => {
    if (!response.destroyed) response.writeHead(status, headers).end(body);
  };
  if (until) return void until.then(send);
  if (delayMs === undefined) return send();
  const timer = setTimeout(send, delayMs);
  response.on('close', () => clearTimeout(timer));
}

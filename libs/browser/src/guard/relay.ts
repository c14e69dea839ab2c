import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

export interface RelayTarget {
  /** A connection that the guard has made; used for this one exchange. */
  readonly socket: Socket;
  readonly host: string;
  readonly path: string;
}

/** Of one connection only (RFC 9110, 7.6.1); the password of the proxy is among them. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Hands a request on and its answer back, both as they come. Rejects when the exchange breaks off. */
export async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  target: RelayTarget,
): Promise<void> {
  const outgoing = sendRequest({
    createConnection: () => target.socket,
    method: request.method,
    path: target.path,
    setHost: false,
    // Host is that of the address that was judged, whatever the client has written.
    headers: ['host', target.host, ...endToEnd(request.rawHeaders, ['host']), 'connection', 'close'],
    maxHeaderSize: 65_536,
  });
  response.once('close', () => outgoing.destroy());
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).on('error', reject);
      outgoing.once('close', () => reject(new Error('The connection was closed.')));
    });
    // Not a pipeline: a server may answer before it has read all, and that would end the client's connection.
    request.pipe(outgoing);
    const answer = await answered;
    response.sendDate = false;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
    await pipeline(answer, response);
  } finally {
    target.socket.destroy();
  }
}

/** `raw` is a flat list of names and values, as Node has it. */
export function endToEnd(raw: readonly string[], without: readonly string[] = []): string[] {
  const pairs = Array.from({ length: raw.length / 2 }, (_, index) => raw.slice(2 * index, 2 * index + 2));
  const named = pairs.filter(([name = '']) => name.toLowerCase() === 'connection');
  const dropped = new Set([
    ...hopByHop,
    ...without,
    ...named.flatMap(([, value = '']) =>
      value
        .toLowerCase()
        .split(',')
        .map((token) => token.trim()),
    ),
  ]);
  return pairs.filter(([name = '']) => !dropped.has(name.toLowerCase())).flat();
}

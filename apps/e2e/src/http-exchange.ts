import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export interface HttpRequest {
  readonly method: string;
  /** Sent as it is: neither normalised nor encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });
const answerGraceMs = 5_000;

/** One request over HTTP, without anything that a friendlier client would put right before sending. */
export function exchange(baseUrl: string, request: HttpRequest): Promise<HttpAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const { method, path, headers = {}, body } = request;
  // Node leaves the length out where a body is unusual (DELETE), and the server would take the body for a request.
  const framed = body === undefined || 'transfer-encoding' in headers || 'content-length' in headers;
  const framing = framed ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      hostname,
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...framing },
    });
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      const finish = () =>
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      incoming.on('end', finish);
      if (isEventStream(incoming)) incoming.once('data', () => (finish(), outgoing.destroy()));
    });
    // A server that refuses a body before it has all of it may have answered although writing fails.
    outgoing.on('error', (error) => setTimeout(() => reject(error), answerGraceMs));
    outgoing.end(body);
  });
}

/** One may never end; what it begins with is enough here. */
function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

/** Writes bytes to the server and gives back everything it says until it closes the connection. */
export function exchangeBytes(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('utf8')));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

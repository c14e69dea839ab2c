import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicEvents, openAiEvents } from './model-streams.js';

/** How the server answers one request. */
export type ModelReply =
  | {
      readonly kind: 'turn';
      readonly text?: string;
      /** Arguments that are a text are sent as they are. */
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: object | string }[];
      readonly ending?: 'length' | 'content_filter';
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly message?: string;
      readonly requestId?: string;
    }
  /** A stream that is none. */
  | { readonly kind: 'garbage' }
  /** Breaks off in the middle of a sentence. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'hang' };

export interface ModelServer {
  /** For `openai` and `compatible`. */
  readonly openAiUrl: string;
  readonly anthropicUrl: string;
  /** Bodies of all requests so far. */
  readonly requests: readonly Record<string, unknown>[];
  /** Connections that the client gave up while an answer was under way. */
  readonly abandoned: number;
  /** The next answers, in order; when none is left, the last one again. */
  script(...replies: ModelReply[]): void;
  close(): Promise<void>;
}

/** A stand-in for model providers over real HTTP: it streams, calls tools, refuses, babbles and hangs. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: Record<string, unknown>[] = [];
  let replies: ModelReply[] = [{ kind: 'turn', text: 'Hello.' }];
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) abandoned += 1;
    });
    void readBody(request).then((body) => {
      requests.push(body);
      const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
      answer(reply, request.url ?? '', response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openAiUrl: `${base}/v1`,
    anthropicUrl: `${base}/v1`,
    requests,
    get abandoned() {
      return abandoned;
    },
    script: (...next) => {
      replies = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(reply: ModelReply, url: string, response: ServerResponse): void {
  if (reply.kind === 'hang') return;
  if (reply.kind === 'status') {
    const { status, retryAfter, requestId, message = `stand-in answers ${status}` } = reply;
    const given = { 'retry-after': retryAfter, 'x-request-id': requestId };
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, type: 'stand_in' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (reply.kind === 'garbage') {
    response.end('data: {"this is": not json\n\ndata: <html>\n\n');
    return;
  }
  const turn = reply.kind === 'turn' ? reply : { text: 'This sentence has no' };
  const events = url.endsWith('/messages') ? anthropicEvents(turn) : openAiEvents(turn);
  if (reply.kind === 'cut') {
    response.write(events.slice(0, 2).join(''));
    setImmediate(() => response.destroy());
    return;
  }
  response.end(events.join(''));
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
}

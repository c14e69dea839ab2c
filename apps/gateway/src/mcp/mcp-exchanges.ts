import { AppError } from '@aos/contracts';
import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PerRequestHTTPServerTransport,
  SdkError,
  SdkErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server';
import type { Generation } from './tool-server.js';

/** One POST, with its body parsed. */
export interface McpPost {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: unknown;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Told of the result with which an earlier client answers what it was asked. */
  readonly onResult?: (id: unknown, result: unknown) => Promise<void>;
}

/** Makes the server of one exchange; a batch has several. */
export type MakeServer = (generation: Generation) => Server;

export interface McpExchangesOptions {
  readonly keepAliveMs: number;
  readonly onError: (error: Error) => void;
}

/** The revisions that had batches. A client that names none may be of one of them. */
const withBatches = new Set(['2024-10-07', '2024-11-05', '2025-03-26']);
/** Messages of a batch. */
export const maxBatch = 50;
/** Characters of answers after which what is left of a batch is not done. */
const maxBatchLength = 8 * 1024 * 1024;

const invalidRequest = -32600;
const serverError = -32000;

/**
 * Streamable HTTP without sessions, for clients of all generations: each POST is answered by a server of its own. JSON
 * is the answer, unless something has to be told before it.
 */
export class McpExchanges {
  private readonly modern: McpHttpHandler;

  constructor(private readonly options: McpExchangesOptions) {
    this.modern = createMcpHandler(
      ({ authInfo }) => (authInfo!.extra as { make: MakeServer }).make('modern'),
      {
        legacy: 'reject',
        keepAliveMs: options.keepAliveMs,
        onerror: options.onError,
      },
    );
  }

  async answer(post: McpPost, make: MakeServer): Promise<Response> {
    if (post.body === undefined)
      throw new AppError('invalid_request', 'The body must be a JSON-RPC message.');
    const outcome = classifyInboundRequest({
      httpMethod: 'POST',
      protocolVersionHeader: post.headers.get('mcp-protocol-version') ?? undefined,
      mcpMethodHeader: post.headers.get('mcp-method') ?? undefined,
      mcpNameHeader: post.headers.get('mcp-name') ?? undefined,
      body: post.body,
    });
    if (outcome.kind === 'legacy') return this.answerLegacy(post, make);
    const { headers, signal, body: parsedBody } = post;
    const authInfo = { token: '', clientId: '', scopes: [], extra: { make } };
    // All that is read of a request whose body is parsed: to make a real one takes a tenth of a call.
    const request = { method: 'POST', headers, signal } as unknown as Request;
    return this.modern.fetch(request, { parsedBody, authInfo });
  }

  private async answerLegacy(post: McpPost, make: MakeServer): Promise<Response> {
    const version = post.headers.get('mcp-protocol-version') ?? undefined;
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
      return refusal(
        serverError,
        `Unsupported protocol version: ${version} (supported versions: ${supported})`,
      );
    }
    if (!Array.isArray(post.body)) return this.exchange(post.body, post, make('legacy'), 'auto');
    if (version !== undefined && !withBatches.has(version)) {
      return refusal(invalidRequest, `The revision ${version} has no batches.`);
    }
    return this.answerBatch(post.body, post, make);
  }

  /** One message after another, and no more once their answers are large: who else calls this gateway waits as well. */
  private async answerBatch(messages: unknown[], post: McpPost, make: MakeServer): Promise<Response> {
    if (messages.length > maxBatch)
      return refusal(invalidRequest, `A batch has at most ${maxBatch} messages.`);
    if (messages.some((message) => isInitializeRequest(message))) {
      return refusal(invalidRequest, 'initialize must come alone.');
    }
    const answers: string[] = [];
    let length = 0;
    for (const message of messages) {
      if (post.signal.aborted) break;
      const response =
        length < maxBatchLength
          ? await this.exchange(message, post, make('legacy'), 'json')
          : leftOut(message);
      if (response.body === null) continue;
      const answer = await response.text();
      length += answer.length;
      answers.push(answer);
    }
    return answers.length === 0 ? new Response(null, { status: 202 }) : jsonText(`[${answers.join(',')}]`);
  }

  /** One message of an earlier generation. */
  private async exchange(
    message: unknown,
    { signal, onResult }: McpPost,
    server: Server,
    responseMode: 'auto' | 'json',
  ): Promise<Response> {
    if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message)) {
      if (isJSONRPCResultResponse(message)) await onResult?.(message.id, message.result);
      return new Response(null, { status: 202 });
    }
    const transport = new PerRequestHTTPServerTransport({
      classification: { era: 'legacy' },
      responseMode,
      keepAliveMs: this.options.keepAliveMs,
    });
    server.onerror = this.options.onError;
    await server.connect(transport);
    const close = () => void transport.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const response = await transport.handleMessage(message);
      if (!isJSONRPCRequest(message)) queueMicrotask(() => void server.close());
      return response;
    } catch (error) {
      if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
        return new Response(null, { status: 499 });
      }
      throw error;
    } finally {
      // Streams may take longer.
      if (responseMode === 'json') signal.removeEventListener('abort', close);
    }
  }
}

/** A message that a batch has no room for. */
function leftOut(message: unknown): Response {
  if (!isJSONRPCRequest(message)) return new Response(null, { status: 202 });
  const error = {
    code: serverError,
    message: 'The answers of the batch are too large; send this one alone.',
  };
  return Response.json({ jsonrpc: '2.0', id: message.id, error });
}

function jsonText(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

function refusal(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 });
}

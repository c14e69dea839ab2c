import { defineTool, type Tool, type ToolOutcome, TransientToolError } from '@aos/agent-runtime';
import { type Egress, EgressError, type EgressRequest, type EgressResponse } from '@aos/egress';
import { z } from 'zod';
import { textOf, toolError } from './tool-result.js';

const maxAnswerBytes = 256 * 1024;
const timeoutMs = 30_000;
const maxRedirects = 5;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Asking twice does no harm. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const redirects = [301, 302, 303, 307, 308];
/** Transport headers, which agents cannot set. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'];
/** They were meant for the first host only. */
const privateHeaders = ['authorization', 'cookie', 'proxy-authorization'];

export const methodSchema = z.preprocess(
  (text) => (typeof text === 'string' ? text.toUpperCase() : text),
  z.enum(methods),
);

export const headersSchema = headersWithout(ownHeaders);
/** Without headers that carry credentials. */
export const openHeadersSchema = headersWithout([...ownHeaders, ...privateHeaders]);

export const bodySchema = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .describe('A text, or JSON.');

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: z.output<typeof bodySchema>;
}

type Headers = Record<string, string>;
type Request = EgressRequest & { readonly headers: Readonly<Headers> };

export interface Exchange {
  readonly send: (request: Request) => Promise<EgressResponse>;
  readonly signal: AbortSignal;
  /** Whether a redirect may lead there. */
  readonly mayFollow?: (target: URL) => boolean;
}

export function isSafe(method: string): boolean {
  return safeMethods.includes(method);
}

/** Makes a call, follows the redirects of safe methods, and gives what the model is shown of the answer. */
export async function exchange(call: HttpCall, { send, signal, mayFollow }: Exchange): Promise<object> {
  const request = { ...requestOf(call), timeoutMs, maxBytes: maxAnswerBytes, signal };
  const hops = isSafe(call.method) ? maxRedirects : 0;
  const { answer, url } = await follow(request, hops, { send, mayFollow });
  return shown(answer, url);
}

function headersWithout(forbidden: readonly string[]) {
  return z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/))
    .refine((headers) => Object.keys(headers).length <= 100, 'at most 100 headers')
    .refine(
      (headers) => Object.keys(headers).every((name) => !forbidden.includes(name.toLowerCase())),
      `must not set ${forbidden.join(', ')}`,
    );
}

function requestOf({ method, url, headers, body }: HttpCall): Request {
  if (body === undefined || typeof body === 'string') return { method, url, headers, body };
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type: Headers = named ? {} : { 'content-type': 'application/json' };
  return { method, url, headers: { ...headers, ...type }, body: JSON.stringify(body) };
}

async function follow(
  request: Request,
  hopsLeft: number,
  { send, mayFollow = () => true }: Pick<Exchange, 'send' | 'mayFollow'>,
): Promise<{ answer: EgressResponse; url: string }> {
  const answer = await send(request);
  const location = redirects.includes(answer.status) ? answer.headers.get('location') : null;
  const isEnd = hopsLeft === 0 || location === null || !URL.canParse(location, request.url);
  const target = isEnd ? undefined : new URL(location, request.url);
  if (!target || !mayFollow(target)) return { answer, url: request.url };
  const sameOrigin = target.origin === new URL(request.url).origin;
  const headers = sameOrigin ? request.headers : withoutPrivate(request.headers);
  return follow({ ...request, url: target.href, headers }, hopsLeft - 1, { send, mayFollow });
}

function withoutPrivate(headers: Readonly<Headers>): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !privateHeaders.includes(name.toLowerCase())),
  );
}

function shown({ status, headers, body, truncated }: EgressResponse, url: string): object {
  const text = textOf(body, truncated);
  return {
    status,
    url,
    headers: readableHeaders(headers),
    body: text ?? Buffer.from(body).toString('base64'),
    ...(text === undefined ? { encoding: 'base64' } : {}),
    ...(truncated ? { truncated: true } : {}),
  };
}

/** Cookies are the one header that comes several times. */
function readableHeaders(headers: EgressResponse['headers']): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 1 ? { 'set-cookie': cookies } : {}) };
}

const parameters = z.object({
  method: methodSchema,
  url: z.url().max(8_192),
  headers: headersSchema.default({}),
  body: bodySchema.optional(),
});

/** HTTP to the outside world, through the guard. Redirects of safe methods are followed. */
export function httpTools(egress: Egress): Tool[] {
  return [
    defineTool({
      name: 'http_request',
      description: 'Makes an HTTP request and gives status, headers and body of the answer.',
      parameters,
      repeatable: ({ method }) => isSafe(method),
      async execute(call, { signal }): Promise<ToolOutcome> {
        try {
          const send = egress.request;
          return { kind: 'result', result: await exchange(call, { send, signal }) };
        } catch (error) {
          if (!(error instanceof EgressError)) throw error;
          signal.throwIfAborted();
          const mayPass = isSafe(call.method) && (error.kind === 'connect' || error.kind === 'reset');
          if (mayPass) throw new TransientToolError(error.message);
          return toolError(error.message);
        }
      },
    }),
  ];
}

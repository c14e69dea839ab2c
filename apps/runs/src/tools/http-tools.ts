import { defineTool, TransientToolError, type Tool, type ToolOutcome } from '@aos/agent-runtime';
import { EgressError, type Egress, type EgressRequest, type EgressResponse } from '@aos/egress';
import { z } from 'zod';
import { textOf } from './text-of.js';
import { toolError } from './tool-result.js';

const maxAnswerBytes = 256 * 1024;
const timeoutMs = 30_000;
const maxRedirects = 5;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Asking twice does no harm. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const redirects = [301, 302, 303, 307, 308];
/** Those that say how a message travels are not the agent's to set. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'];
/** They were meant for the first host only. */
const privateHeaders = ['authorization', 'cookie', 'proxy-authorization'];

const parameters = z.object({
  method: z.preprocess((text) => (typeof text === 'string' ? text.toUpperCase() : text), z.enum(methods)),
  url: z.url().max(8_192),
  headers: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/))
    .refine((headers) => Object.keys(headers).length <= 100, 'at most 100 headers')
    .refine(
      (headers) => Object.keys(headers).every((name) => !ownHeaders.includes(name.toLowerCase())),
      `must not set ${ownHeaders.join(', ')}`,
    )
    .default({}),
  body: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .describe('A text, or JSON.')
    .optional(),
});

type HttpCall = z.output<typeof parameters>;

/** HTTP to the outside world, through the guard. Redirects of safe methods are followed. */
export function httpTools(egress: Egress): Tool[] {
  return [
    defineTool({
      name: 'http_request',
      description: 'Makes an HTTP request and gives status, headers and body of the answer.',
      parameters,
      repeatable: ({ method }) => safeMethods.includes(method),
      async execute(call, { signal }): Promise<ToolOutcome> {
        const isSafe = safeMethods.includes(call.method);
        try {
          const request = { ...requestOf(call), timeoutMs, maxBytes: maxAnswerBytes, signal };
          const { answer, url } = await follow(egress, request, isSafe ? maxRedirects : 0);
          return { kind: 'result', result: shown(answer, url) };
        } catch (error) {
          if (!(error instanceof EgressError)) throw error;
          signal.throwIfAborted();
          const mayPass = isSafe && (error.kind === 'connect' || error.kind === 'reset');
          if (mayPass) throw new TransientToolError(error.message);
          return toolError(error.message);
        }
      },
    }),
  ];
}

type Headers = Record<string, string>;

function requestOf({ method, url, headers, body }: HttpCall): EgressRequest & { headers: Headers } {
  if (body === undefined || typeof body === 'string') return { method, url, headers, body };
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type: Headers = named ? {} : { 'content-type': 'application/json' };
  return { method, url, headers: { ...headers, ...type }, body: JSON.stringify(body) };
}

async function follow(
  egress: Egress,
  request: EgressRequest & { headers: Headers },
  hopsLeft: number,
): Promise<{ answer: EgressResponse; url: string }> {
  const answer = await egress.request(request);
  const location = redirects.includes(answer.status) ? answer.headers.get('location') : null;
  if (hopsLeft === 0 || location === null || !URL.canParse(location, request.url)) {
    return { answer, url: request.url };
  }
  const target = new URL(location, request.url);
  const sameOrigin = target.origin === new URL(request.url).origin;
  const headers = sameOrigin ? request.headers : withoutPrivate(request.headers);
  return follow(egress, { ...request, url: target.href, headers }, hopsLeft - 1);
}

function withoutPrivate(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !privateHeaders.includes(name.toLowerCase())),
  );
}

function shown({ status, headers, body, truncated }: EgressResponse, url: string): object {
  const text = textOf(body, truncated);
  return {
    status,
    url,
    headers: headersShown(headers),
    body: text ?? Buffer.from(body).toString('base64'),
    ...(text === undefined ? { encoding: 'base64' } : {}),
    ...(truncated ? { truncated: true } : {}),
  };
}

/** Cookies are the one header that comes several times. */
function headersShown(headers: EgressResponse['headers']): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 1 ? { 'set-cookie': cookies } : {}) };
}

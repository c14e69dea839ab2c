import { EgressError } from './egress-error.js';
import type { Answer } from './exchange.js';
import { limitTo } from './read-body.js';

export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface FetchPort {
  /** Throws for a URL that the rules refuse. */
  judge(text: string): URL;
  send(outgoing: Outgoing): Promise<Answer>;
  readonly maxBytes: number;
}

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];
const bodilessStatuses: readonly number[] = [204, 205, 304];

/**
 * `fetch` for SDKs, on the connections of the guard. undici's own would decompress, follow redirects
 * and answer with classes other than the global ones.
 */
export function fetchOver({ judge, send, maxBytes }: FetchPort): typeof globalThis.fetch {
  return async (input, init) => {
    const given = input instanceof Request ? input : undefined;
    const url = judge(given?.url ?? String(input));
    const request = new Request(given ?? url, { ...init, signal: null });
    const answer = await send({
      url,
      method: request.method,
      headers: request.headers,
      body: request.body ? new Uint8Array(await request.arrayBuffer()) : undefined,
      signal: init?.signal ?? given?.signal,
    });
    const problem = problemOf(answer.status, request.redirect);
    if (!problem) return toResponse(answer, url, maxBytes);
    await answer.body.cancel();
    throw new EgressError('protocol', problem);
  };
}

function problemOf(status: number, redirect: string): string | undefined {
  if (status > 599) return 'The answer is not valid HTTP.';
  if (redirect === 'error' && redirectStatuses.includes(status)) return 'The answer is a redirect.';
  return undefined;
}

async function toResponse({ status, headers, body }: Answer, url: URL, maxBytes: number): Promise<Response> {
  const bodiless = bodilessStatuses.includes(status);
  if (bodiless) await body.cancel();
  const response = new Response(bodiless ? null : body.pipeThrough(limitTo(maxBytes)), { status, headers });
  return Object.defineProperty(response, 'url', { value: url.href });
}

import type { AllowedRanges } from './rules/address-rules.js';
import { guardedAgent } from './dispatcher.js';
import { EgressError } from './egress-error.js';
import { exchange, type Answer } from './exchange.js';
import { EgressGuard } from './guard.js';
import { fetchOver, type Outgoing } from './guarded-fetch.js';
import { readUpTo } from './read-body.js';
import { dnsResolve, type Resolve } from './rules/resolve.js';
import { checkUrl, type UrlCheck } from './rules/url-rules.js';

export interface EgressOptions {
  readonly allowed: AllowedRanges;
  readonly resolve?: Resolve;
  /** For `check` only; a call has its connect time. */
  readonly resolveTimeoutMs?: number;
  /** Of a whole call, the body of the answer included. */
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Of the body of an answer: `request` cuts there, `fetch` fails. */
  readonly maxBytes?: number;
  readonly maxHeaderBytes?: number;
}

export interface EgressRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Can only shorten that of the `Egress`, to whom the connections belong. */
  readonly connectTimeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The first `maxBytes` bytes as they came over the wire, not decompressed. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

export interface Egress {
  /** Judges a URL without connecting; never throws. */
  check(url: string): Promise<UrlCheck>;
  /** Rejects with an `EgressError` only. Every status is an answer, redirects too. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** For SDKs: follows no redirect, does not decompress. Rejects with an `EgressError` or the signal's reason. */
  readonly fetch: typeof globalThis.fetch;
  /** Waits for the calls under way, which their time limits bound. */
  close(): Promise<void>;
}

const forbiddenMethods: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

/** Outgoing HTTP for addresses that a team can influence. How many calls run at once is up to the caller. */
export function createEgress(options: EgressOptions): Egress {
  const { allowed, resolve = dnsResolve(), resolveTimeoutMs, maxHeaderBytes } = options;
  const { timeoutMs = 10_000, connectTimeoutMs = 3_000, maxBytes = 1_048_576 } = options;
  const guard = new EgressGuard({ allowed, resolve, resolveTimeoutMs });
  const agent = guardedAgent({ allowed, resolve, connectTimeoutMs, maxHeaderBytes });
  let closing: Promise<void> | undefined;

  function judge(text: string): URL {
    const verdict = checkUrl(text, { allowed });
    if (!verdict.ok) throw new EgressError('forbidden', verdict.reason);
    return verdict.url;
  }

  async function send(
    outgoing: Outgoing,
    limits?: { timeoutMs?: number; connectTimeoutMs?: number },
  ): Promise<Answer> {
    refuseMisuse(outgoing);
    if (!outgoing.headers.has('accept-encoding')) outgoing.headers.set('accept-encoding', 'identity');
    return exchange(agent, {
      ...outgoing,
      timeoutMs: limits?.timeoutMs ?? timeoutMs,
      connectTimeoutMs: limits?.connectTimeoutMs ?? connectTimeoutMs,
    });
  }

  return {
    check: (url) => guard.check(url),

    async request({ url, method = 'GET', headers, body, signal, ...limits }) {
      try {
        const answer = await send(
          { url: judge(url), method, headers: toHeaders(headers), body, signal },
          limits,
        );
        const { bytes, truncated } = await readUpTo(answer.body, limits.maxBytes ?? maxBytes);
        return { status: answer.status, headers: answer.headers, body: bytes, truncated };
      } catch (error) {
        if (error instanceof EgressError || !signal?.aborted) throw error;
        throw new EgressError('aborted', 'The call was given up.', error);
      }
    },

    fetch: fetchOver({ judge, send, maxBytes }),

    close: () => (closing ??= agent.close()),
  };
}

function refuseMisuse({ method, headers }: Outgoing): void {
  // undici takes the name for SNI and for the certificate from this header.
  if (headers.has('host')) throw new EgressError('protocol', 'The Host header cannot be set.');
  if (forbiddenMethods.includes(method.toUpperCase())) {
    throw new EgressError('protocol', 'The method is not allowed.');
  }
}

function toHeaders(record: EgressRequest['headers']): Headers {
  try {
    return new Headers(record);
  } catch (error) {
    throw new EgressError('protocol', 'The request is not valid HTTP.', error);
  }
}

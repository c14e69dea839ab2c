import { ApiError, ConnectionError, errorIn } from './errors.js';
import type { PreparedRequest } from './request.js';
import { pause, retryDelayMs } from './retries.js';

export interface ClientOptions {
  /** Where the service is: `https://agents.example.com`, or `''` for the page's own origin. */
  readonly baseUrl: string;
  /** An API key or an access token, or how to get one: it is asked for before each request. */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** The team of operations that do not name one. */
  readonly teamId?: string;
  /** How often a request that failed for a while is tried again; 3 where nothing is said. */
  readonly retries?: number;
  /**
   * How long one attempt may take; 100 seconds where nothing is said, longer than any wait for a run. Of a file or a
   * stream it is the time until it begins: whoever asked for it reads it as long as it takes.
   */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** A request that changes something has one of its own making otherwise, so that a retry has no second effect. */
  readonly idempotencyKey?: string;
  readonly retries?: number;
  readonly timeoutMs?: number;
}

const defaultRetries = 3;
const defaultTimeoutMs = 100_000;
/** A timer of more would end at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Sends requests, again if need be. */
export class Transport {
  constructor(private readonly options: ClientOptions) {}

  get teamId(): string | undefined {
    return this.options.teamId;
  }

  /** An answer with a status of success, to be read. Anything else is an error, after the retries that make sense. */
  send(request: PreparedRequest, options?: CallOptions): Promise<Response> {
    return this.tried(request, options, async (response) => response);
  }

  /** The same, read to its end: one that breaks off is no answer, and asked for again. */
  sendForText(request: PreparedRequest, options?: CallOptions): Promise<string> {
    return this.tried(request, options, (response) => response.text());
  }

  private async tried<T>(
    request: PreparedRequest,
    options: CallOptions = {},
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const key = request.method === 'GET' ? undefined : (options.idempotencyKey ?? randomKey());
    const retries = request.isRepeatable ? (options.retries ?? this.options.retries ?? defaultRetries) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(request, key, options, read);
      } catch (error) {
        const delayMs = options.signal?.aborted ? undefined : retryDelayMs(error, attempt);
        if (attempt >= retries || delayMs === undefined) throw error;
        await pause(delayMs, options.signal);
      }
    }
  }

  /** An event stream, which stays open however long it takes. */
  async open(target: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = { ...(await this.credential()), accept: 'text/event-stream' };
    try {
      return await this.fetched(target, {
        headers: lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId },
        signal,
      });
    } catch (error) {
      throw unreachable(error, signal);
    }
  }

  private async attempt<T>(
    { method, target, body, contentType }: PreparedRequest,
    key: string | undefined,
    { signal, timeoutMs = this.options.timeoutMs ?? defaultTimeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const headers = {
      ...(await this.credential()),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const stream = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new DOMException('The attempt took too long.', 'TimeoutError')),
      Math.min(timeoutMs, longestTimeoutMs),
    );
    try {
      const response = await this.fetched(target, {
        method,
        headers,
        body,
        signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
        ...stream,
      });
      return await read(response);
    } catch (error) {
      throw unreachable(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async fetched(target: string, init: RequestInit): Promise<Response> {
    const { baseUrl, fetch: send = fetch } = this.options;
    const response = await send(baseUrl.replace(/\/$/, '') + target, init);
    if (!response.ok) throw await errorIn(response);
    return response;
  }

  private async credential(): Promise<Record<string, string>> {
    const { apiKey } = this.options;
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    return key === undefined ? {} : { authorization: `Bearer ${key}` };
  }
}

/** Who gave up gets their own reason back; all else is the connection's. */
function unreachable(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof ApiError || signal?.aborted) return error;
  const reason = (error as Error).name === 'TimeoutError' ? 'said nothing in time' : 'could not be reached';
  return new ConnectionError(`The service ${reason}.`, { cause: error });
}

/** Works on pages without TLS too, where there is no `randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

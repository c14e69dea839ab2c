import { Deadline, uploadMs } from './deadline.js';
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
   * stream it is the time until it begins: whoever asked for it reads it as long as it takes. What is sent has its own
   * time besides, as long as it gets on.
   */
  readonly timeoutMs?: number;
  /** Ends all that is under way, and lets nothing begin. */
  readonly signal?: AbortSignal;
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

/** Sends requests, again if need be. */
export class Transport {
  constructor(private readonly options: ClientOptions) {}

  get teamId(): string | undefined {
    return this.options.teamId;
  }

  /** Aborts when who called has enough, or who made the client. */
  endOf(signal?: AbortSignal): AbortSignal | undefined {
    const signals = [signal, this.options.signal].filter((one) => one !== undefined);
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
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
    const signal = this.endOf(options.signal);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(request, key, { ...options, signal }, read);
      } catch (error) {
        const delayMs = signal?.aborted ? undefined : retryDelayMs(error, attempt);
        if (attempt >= retries || delayMs === undefined) throw error;
        await pause(delayMs, signal);
      }
    }
  }

  /** An event stream, which stays open however long it takes; it begins in the time of an attempt. */
  async open(target: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = { ...(await this.credential()), accept: 'text/event-stream' };
    const deadline = new Deadline(this.options.timeoutMs ?? defaultTimeoutMs);
    try {
      return await this.fetched(target, {
        headers: lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId },
        signal: AbortSignal.any([signal, deadline.signal]),
      });
    } catch (error) {
      throw unreachable(error, signal);
    } finally {
      deadline.clear();
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
    const deadline = new Deadline(timeoutMs + uploadMs(body));
    const sent =
      body instanceof ReadableStream ? { body: deadline.within(body), duplex: 'half' as const } : { body };
    try {
      const response = await this.fetched(target, {
        method,
        headers,
        signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
        ...sent,
      });
      return await read(response);
    } catch (error) {
      throw unreachable(error, signal);
    } finally {
      deadline.clear();
    }
  }

  private async fetched(target: string, init: RequestInit): Promise<Response> {
    const { baseUrl, fetch: send = fetch } = this.options;
    const headers = { ...(init.headers as Record<string, string>), prefer: 'handling=strict' };
    const response = await send(baseUrl.replace(/\/$/, '') + target, { ...init, headers });
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

import type { Dispatcher } from 'undici';
import { EgressError, toEgressError } from './egress-error.js';

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
  /** From the start to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** As it came over the wire, not decompressed. Fails like `exchange` does; cancel it to end the connection. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Sends one request. Rejects with an `EgressError`, or with the reason of the signal, and leaves nothing running. */
export function exchange(agent: Dispatcher, call: Call): Promise<Answer> {
  return new Promise((resolve, reject) => new Exchange(agent, call, resolve, reject).start());
}

/** undici's own clocks tick in half seconds and restart with each byte; the clocks of a call are kept here. */
class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  private over = false;
  private wholeTimer: NodeJS.Timeout | undefined;
  private connectTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly agent: Dispatcher,
    private readonly call: Call,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  start(): void {
    const { method, url, headers, body, timeoutMs, connectTimeoutMs, signal } = this.call;
    if (signal?.aborted) return this.onAbort();
    signal?.addEventListener('abort', this.onAbort, { once: true });
    this.wholeTimer = setTimeout(() => {
      this.fail(new EgressError('timeout', `The answer was not complete within ${timeoutMs} ms.`));
    }, timeoutMs);
    this.connectTimer = setTimeout(() => {
      this.fail(new EgressError('timeout', `The connection was not made within ${connectTimeoutMs} ms.`));
    }, connectTimeoutMs);
    const path = `${url.pathname}${url.search}`;
    const clocks = { headersTimeout: 0, bodyTimeout: 0 };
    this.agent.dispatch(
      { origin: url.origin, path, method, headers: [...headers].flat(), body, ...clocks },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.connectTimer);
    this.controller = controller;
    // Given up while undici was still connecting: this is the first chance to say so.
    if (this.over) this.dropConnection();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const body = new ReadableStream<Uint8Array>({
      start: (sink) => void (this.sink = sink),
      pull: () => controller.resume(),
      cancel: () => {
        if (this.finish()) this.dropConnection();
      },
    });
    this.resolve({ status, headers: headersOf(headers), body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // undici flushes its parser with an empty chunk each time it resumes; to pause for one would never end.
    if (this.over || !this.sink || chunk.byteLength === 0) return;
    this.sink.enqueue(chunk);
    if ((this.sink.desiredSize ?? 0) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    if (this.finish()) this.sink?.close();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(toEgressError(error, this.controller ? 'connected' : 'connecting'));
  }

  private readonly onAbort = (): void => {
    this.fail(this.call.signal?.reason);
  };

  private fail(error: unknown): void {
    if (!this.finish()) return;
    if (this.sink) this.sink.error(error);
    else this.reject(error);
    this.dropConnection();
  }

  /** True the first time: whatever comes later is too late. */
  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    clearTimeout(this.wholeTimer);
    clearTimeout(this.connectTimer);
    this.call.signal?.removeEventListener('abort', this.onAbort);
    return true;
  }

  private dropConnection(): void {
    this.controller?.abort(new EgressError('aborted', 'The call is over.'));
  }
}

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return headers;
}

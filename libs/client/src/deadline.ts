import type { PreparedRequest } from './request.js';

/** A timer of more would end at once. */
const maxTotalMs = 2 ** 31 - 1;

/** As slow as a line may be that is still worth waiting for. */
const slowestBytesPerSecond = 16 * 1024;

/** The time that an attempt has to make progress. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;

  constructor(private readonly ms: number) {
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    clearTimeout(this.timer);
    // Of a body that nobody waits for any more pieces are still taken.
    if (this.isOver) return;
    this.timer = setTimeout(
      () => this.controller.abort(new DOMException('The attempt took too long.', 'TimeoutError')),
      Math.min(this.ms, maxTotalMs),
    );
  }

  /** For good: nothing is left that would keep a process. */
  clear(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  /** The same stream; the time begins anew with each piece of it that is taken. */
  within(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    return stream.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          controller.enqueue(piece);
          this.restart();
        },
      }),
    );
  }
}

/**
 * How long a body takes on a slow line: nobody tells how much of one that is given whole has left. A stream tells it by
 * being read.
 */
export function uploadMs(body: PreparedRequest['body']): number {
  return (sizeOf(body) / slowestBytesPerSecond) * 1000;
}

function sizeOf(body: PreparedRequest['body']): number {
  if (body === undefined || body instanceof ReadableStream) return 0;
  if (typeof body === 'string') return body.length;
  if (body instanceof Blob) return body.size;
  if (body instanceof FormData) return [...body.values()].reduce((sum, value) => sum + sizeOf(value), 0);
  return body.byteLength;
}

import { finished, type Readable } from 'node:stream';

interface Waiting {
  resolve(chunk: unknown): void;
  reject(reason: unknown): void;
}

/**
 * The chunks of a source one at a time, as they lie in its buffer. Its own iterator makes one of several by copying,
 * destroys it at the end, and cannot be left while the source is silent.
 */
export class SourceChunks {
  private waiting: Waiting | undefined;
  private end: { readonly error: unknown } | undefined;
  private readonly cleanUp: () => void;

  constructor(
    private readonly source: Readable,
    private readonly signal: AbortSignal | undefined,
  ) {
    if (source.readableEnded) throw new TypeError('The source has already been read.');
    // Stays for good: an error of the source after the last read must not end the process.
    source.on('error', () => undefined);
    // Before there is a listener for data: that would set it flowing.
    source.pause();
    source.on('data', this.onData);
    this.cleanUp = finished(source, { writable: false }, (error) => this.onEnd(error));
    signal?.addEventListener('abort', this.onAbort);
  }

  /** The next chunk, or nothing at the end. Rejects with the error of the source or the reason of the signal. */
  next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (this.signal?.aborted) this.onAbort();
      else if (this.end) this.onEnd(this.end.error);
      else this.source.resume();
    });
  }

  /** Leaves the source as it is, paused. */
  release(): void {
    this.source.off('data', this.onData);
    this.signal?.removeEventListener('abort', this.onAbort);
    this.cleanUp();
    this.source.pause();
  }

  private readonly onData = (chunk: unknown) => {
    this.source.pause();
    this.settle((waiting) => waiting.resolve(chunk));
  };

  private readonly onAbort = () => this.settle((waiting) => waiting.reject(this.signal?.reason));

  private onEnd(error: unknown): void {
    this.end = { error };
    this.settle((waiting) => (error ? waiting.reject(error) : waiting.resolve(undefined)));
  }

  private settle(how: (waiting: Waiting) => void): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) how(waiting);
  }
}

import { Readable } from 'node:stream';

export interface StoredBytesOptions {
  /** What an error of the source is to the reader. */
  readonly toError: (error: unknown) => Error;
  /** How long the source may be silent while the reader waits for it; a slow reader is never cut off. */
  readonly idleTimeoutMs?: number;
}

/** What a disk or a socket gives, as it is asked for. The end of the one is the end of the other. */
export class StoredBytes extends Readable {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: Readable,
    private readonly options: StoredBytesOptions,
  ) {
    super();
    // An error before the first read must not end the process; a later read still throws it.
    this.on('error', () => undefined);
    // Before there is a listener for data: that would set it flowing.
    source.pause();
    source.on('data', (chunk: Buffer) => {
      this.stopTimer();
      if (!this.push(chunk)) source.pause();
    });
    source.on('end', () => {
      this.stopTimer();
      this.push(null);
    });
    source.on('error', (error) => this.destroy(options.toError(error)));
    source.on('close', () => {
      if (!source.readableEnded) this.destroy(options.toError(new Error('The source was closed')));
    });
  }

  override _read(): void {
    const { idleTimeoutMs } = this.options;
    if (idleTimeoutMs !== undefined) {
      this.stopTimer();
      this.timer = setTimeout(() => {
        this.destroy(this.options.toError(new Error(`No byte came for ${idleTimeoutMs} ms`)));
      }, idleTimeoutMs);
    }
    this.source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.stopTimer();
    if (this.source.closed) return callback(error);
    // Who sees this stream closed may count on the file or the connection being so too.
    this.source.once('close', () => callback(error));
    this.source.destroy();
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

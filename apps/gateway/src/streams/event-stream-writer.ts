import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { keepAliveFrame, openingFrame } from './event-frames.js';

/** The body of one event stream: takes no more than its client reads, and breaks every long silence. */
export class EventStreamWriter {
  readonly body = new PassThrough();
  private readonly silence: NodeJS.Timeout;

  constructor(silenceMs: number, start: number) {
    this.silence = setInterval(() => this.keepAlive(), silenceMs);
    this.body.write(openingFrame(start));
  }

  /** Resolves when there is room for more, or when the signal says that the client has gone. */
  async write(frames: string, signal: AbortSignal): Promise<void> {
    this.silence.refresh();
    if (this.body.write(frames) || signal.aborted) return;
    await once(this.body, 'drain', { signal }).catch(() => undefined);
  }

  end(): void {
    clearInterval(this.silence);
    this.body.end();
  }

  private keepAlive(): void {
    // A client that has yet to read what is there needs no sign of life.
    if (!this.body.writableNeedDrain && !this.body.destroyed) this.body.write(keepAliveFrame);
  }
}

import { write, writeSync } from 'node:fs';
import { symbols } from 'pino';

const maxBufferedChars = 16 * 1024 * 1024;
const retryMs = 20;
const maxExitAttempts = 50;
/** A line that tells of nothing wrong waits for others: each write wakes a thread here and whoever reads there. */
const gatherMs = 20;
/** As pino numbers levels: from warnings on a line may be the last that the process writes. */
const urgentLevel = 40;

/**
 * Writes log lines to a file descriptor without blocking the event loop, many in one call, and the rest at exit.
 * pino's own destination is not used: when the reader of the pipe has died, its flush at exit (sonic-boom 4.2.1)
 * retries EPIPE for ever, and a service whose supervisor was killed stays behind as an orphan.
 */
export class LineWriter {
  /** Has pino tell the level of each line before it is written. */
  readonly [symbols.needsMetadataGsym] = true;
  lastLevel = urgentLevel;
  private buffered = '';
  private gathering: NodeJS.Timeout | undefined;
  private inFlight = false;
  /** What a full pipe did not take and a timer will try again. */
  private waiting: Buffer | undefined;
  private dropped = 0;
  private broken = false;
  private flushed: (() => void)[] = [];

  constructor(private readonly fd: number) {
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.broken) return;
    // A reader that stands still must not take the service's memory.
    if (this.buffered.length > maxBufferedChars) {
      this.dropped += 1;
      return;
    }
    this.buffered += line;
    if (this.inFlight) return;
    if (this.lastLevel >= urgentLevel) this.writeNext();
    else this.gathering ??= setTimeout(() => this.writeNext(), gatherMs).unref();
  }

  /** Calls back when all that was written so far has left the process. */
  flush(done: () => void): void {
    if (!this.inFlight) this.writeNext();
    if (this.inFlight) this.flushed.push(done);
    else done();
  }

  /** For the exit handler; gives up on a broken descriptor and on a reader that stands still. */
  private flushSync(): void {
    // A thread may be writing a chunk that cannot be awaited here: let it go first, Node ends it before it exits.
    if (this.inFlight && !this.waiting) pause(retryMs);
    let rest = Buffer.concat([this.waiting ?? Buffer.alloc(0), this.takeBuffered()]);
    for (let attempt = 0; rest.length > 0 && !this.broken && attempt < maxExitAttempts; attempt += 1) {
      try {
        rest = rest.subarray(writeSync(this.fd, rest));
      } catch (error) {
        if (isBusy(error)) pause(retryMs);
        else this.broken = true;
      }
    }
  }

  private writeNext(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    const chunk = this.takeBuffered();
    this.inFlight = chunk.length > 0;
    if (this.inFlight) this.writeChunk(chunk);
    else this.settle();
  }

  private writeChunk(chunk: Buffer): void {
    this.waiting = undefined;
    write(this.fd, chunk, (error, written) => {
      if (isBusy(error)) {
        this.waiting = chunk;
        setTimeout(() => this.writeChunk(chunk), retryMs);
      } else if (error) {
        this.broken = true;
        this.settle();
      } else if (written < chunk.length) {
        this.writeChunk(chunk.subarray(written));
      } else {
        this.writeNext();
      }
    });
  }

  private settle(): void {
    this.inFlight = false;
    for (const done of this.flushed.splice(0)) done();
  }

  private takeBuffered(): Buffer {
    const text = this.buffered;
    this.buffered = '';
    if (this.dropped === 0) return Buffer.from(text);
    const note = { level: 'warn', time: new Date().toISOString(), dropped_lines: this.dropped };
    this.dropped = 0;
    return Buffer.from(`${text}${JSON.stringify(note)}\n`);
  }
}

function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

function isBusy(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    (error.code === 'EAGAIN' || error.code === 'EBUSY')
  );
}

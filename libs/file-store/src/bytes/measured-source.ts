import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { StoredFile, WriteOptions } from '../file-store.js';
import { FileTooLarge } from '../file-store-errors.js';
import { SourceChunks } from './source-chunks.js';

/** The bytes of a source in order, counted and hashed on their way, a chunk at a time. Must be released. */
export class MeasuredSource implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');
  private readonly chunks: SourceChunks | undefined;
  private sizeBytes = 0;

  constructor(
    private readonly source: Readable | Buffer,
    private readonly options: WriteOptions,
  ) {
    if (!Buffer.isBuffer(source)) this.chunks = new SourceChunks(source, options.signal);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of Buffer.isBuffer(this.source) ? [this.source] : this.read()) {
      this.options.signal?.throwIfAborted();
      this.sizeBytes += chunk.length;
      if (this.sizeBytes > this.options.maxBytes) throw new FileTooLarge(this.options.maxBytes);
      this.hash.update(chunk);
      yield chunk;
    }
  }

  /** Once, after the last chunk. */
  result(): StoredFile {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }

  /** Gives the source back, whatever has been read of it. */
  release(): void {
    this.chunks?.release();
  }

  private async *read(): AsyncGenerator<Buffer, void, undefined> {
    for (let chunk = await this.next(); chunk; chunk = await this.next()) yield chunk;
  }

  private async next(): Promise<Buffer | undefined> {
    const chunk = await this.chunks?.next();
    if (chunk === undefined || Buffer.isBuffer(chunk)) return chunk;
    if (!(chunk instanceof Uint8Array)) throw new TypeError('The source must give bytes.');
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}

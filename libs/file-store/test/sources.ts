import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileStore, ReadOptions } from '../src/file-store.js';

export const mebibyte = 1_048_576;

/** Bytes that are alike nowhere, so that parts in the wrong order or place are seen. */
export function noise(sizeBytes: number): Buffer {
  return randomBytes(sizeBytes);
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes in chunks of a size that fits nowhere. */
export function inChunks(bytes: Buffer, chunkBytes = 65_521): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return Readable.from(chunks, { objectMode: false });
}

/** Gives the bytes, and then waits for the test to end, fail or drop it. `taken`: they have been read. */
export function openSource(bytes: Buffer): { source: PassThrough; taken: Promise<void> } {
  const source = new PassThrough({ highWaterMark: 1 });
  const taken = new Promise<void>((resolve) => {
    if (bytes.length === 0 || source.write(bytes)) resolve();
    else source.once('drain', resolve);
  });
  return { source, taken };
}

export async function contentOf(store: FileStore, key: string, options?: ReadOptions): Promise<Buffer> {
  const { stream } = await store.read(key, options);
  return buffer(stream);
}

/** What a server does with the rest of a request that it has refused. */
export async function drain(source: PassThrough): Promise<void> {
  source.end(noise(100_000));
  source.resume();
  await once(source, 'end');
}

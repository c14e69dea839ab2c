/** The least that S3 takes for a part that is not the last; of 10,000 parts a file can have 48 GiB. */
export const partBytes = 5 * 1_048_576;

export interface FilePart {
  /** Valid until the next part is asked for: there is one buffer for all. */
  readonly body: Buffer;
  readonly last: boolean;
}

/** Gathers chunks into parts for S3. There is always a last part, and only an empty file has an empty one. */
export async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FilePart, void, undefined> {
  // Not filled with zeros, so that a small file does not touch the memory it does not need.
  const buffer = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === partBytes) {
        yield { body: buffer, last: false };
        filled = 0;
      }
      const copied = chunk.copy(buffer, filled, taken);
      filled += copied;
      taken += copied;
    }
  }
  yield { body: buffer.subarray(0, filled), last: true };
}

import { EgressError } from './egress-error.js';

/** Reads at most `maxBytes` and ends the connection if there is more. */
export async function readUpTo(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let room = maxBytes;
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, room));
    if (chunk.byteLength > room) return { bytes: Buffer.concat(chunks), truncated: true };
    room -= chunk.byteLength;
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

/** Fails a stream that grows past `maxBytes`; a silently cut answer would be read as a whole one. */
export function limitTo(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new EgressError('protocol', `The answer is larger than ${maxBytes} bytes.`);
      controller.enqueue(chunk);
    },
  });
}

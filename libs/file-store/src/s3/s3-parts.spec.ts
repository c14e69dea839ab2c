import fc from 'fast-check';
import { mebibyte, noise, sha256 } from '../../test/sources.js';
import { partBytes, partsOf } from './s3-parts.js';

async function* given(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

describe('partsOf', () => {
  it('is what S3 takes at least', () => {
    expect(partBytes).toBe(5 * mebibyte);
  });

  it('gives whole parts and a last one, and loses nothing, whatever the chunks are', async () => {
    const bytes = noise(3 * partBytes);
    const sizes = fc.array(fc.oneof(fc.nat(9), fc.nat(partBytes), fc.constant(partBytes)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, async (chunkSizes) => {
        let total = 0;
        const chunks = chunkSizes.flatMap((size) => {
          const chunk = bytes.subarray(total, total + size);
          total += chunk.length;
          return [chunk];
        });
        const parts: { size: number; last: boolean }[] = [];
        const copies: Buffer[] = [];
        for await (const { body, last } of partsOf(given(chunks))) {
          parts.push({ size: body.length, last });
          copies.push(Buffer.from(body));
        }
        expect(parts.map(({ last }) => last)).toEqual([...parts.slice(1).map(() => false), true]);
        expect(parts.slice(0, -1).every(({ size }) => size === partBytes)).toBe(true);
        expect(parts.length === 1 || parts.at(-1)!.size > 0).toBe(true);
        expect(sha256(Buffer.concat(copies))).toBe(sha256(bytes.subarray(0, total)));
      }),
      { numRuns: 15 },
    );
  });
});

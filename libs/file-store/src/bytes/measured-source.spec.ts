import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { noise, openSource, sha256 } from '../../test/sources.js';
import { MeasuredSource } from './measured-source.js';

const maxBytes = 1_000;

describe('MeasuredSource', () => {
  it('counts and hashes what it hands on', async () => {
    const bytes = noise(900);
    const source = new MeasuredSource(Readable.from([bytes.subarray(0, 400), bytes.subarray(400)]), {
      maxBytes,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of source) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
    expect(source.result()).toEqual({ sizeBytes: 900, sha256: sha256(bytes) });
  });

  it('does not wait for a silent source when the signal comes', async () => {
    const { source } = openSource(Buffer.from('first'));
    const controller = new AbortController();
    const chunks = new MeasuredSource(source, { maxBytes, signal: controller.signal })[
      Symbol.asyncIterator
    ]();
    expect((await chunks.next()).value).toEqual(Buffer.from('first'));
    const next = expect(chunks.next()).rejects.toBe('enough');
    await setImmediate();
    controller.abort('enough');
    await next;
    // What it was still waiting for must not come back as an error of nobody.
    source.destroy(new Error('later'));
    await setImmediate();
  });

  it('takes bytes of any array', async () => {
    const source = new MeasuredSource(Readable.from([new Uint8Array([1, 2, 3]).subarray(1)]), { maxBytes });
    for await (const chunk of source) expect(chunk).toEqual(Buffer.from([2, 3]));
    expect(source.result().sizeBytes).toBe(2);
  });
});

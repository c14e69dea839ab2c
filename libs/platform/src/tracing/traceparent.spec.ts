import fc from 'fast-check';
import {
  childTraceparent,
  newTraceparent,
  parseTraceparent,
  traceIds,
  traceparentFrom,
} from './traceparent.js';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';
const sound = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;

describe('traceparent', () => {
  it('reads the ids and the sampling flag', () => {
    expect(parseTraceparent(`00-${trace}-${span}-01`)).toEqual({
      traceId: trace,
      spanId: span,
      traceFlags: 1,
    });
    expect(traceparentFrom(`00-${trace}-${span}-02`)).toBe(`00-${trace}-${span}-00`);
  });

  it('reads later versions as far as it knows them', () => {
    expect(parseTraceparent(`cc-${trace}-${span}-01-what-the-future-brings`)).toMatchObject({
      traceId: trace,
    });
    expect(traceparentFrom(`cc-${trace}-${span}-03`)).toBe(`00-${trace}-${span}-01`);
  });

  it.each([
    undefined,
    null,
    42,
    ['00-x'],
    '',
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace}-${span}-0`,
    `00_${trace}_${span}_01`,
    `cc-${trace}-${span}-01more`,
  ])('starts a new trace for %p', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
    const fresh = traceparentFrom(header);
    expect(fresh).toMatch(sound);
    expect(traceIds(fresh).traceId).not.toBe(trace);
  });

  it('starts a new trace for a header that is far too long', () => {
    expect(parseTraceparent(`cc-${trace}-${span}-01-${'x'.repeat(100_000)}`)).toBeUndefined();
  });

  it('gives a sound header whatever comes in', () => {
    fc.assert(fc.property(fc.anything(), (header) => sound.test(traceparentFrom(header))));
  });

  it('keeps the trace and takes a new span for a child', () => {
    const parent = `00-${trace}-${span}-00`;
    const child = childTraceparent(parent);
    expect(child).toMatch(sound);
    expect(traceIds(child).traceId).toBe(trace);
    expect(traceIds(child).spanId).not.toBe(span);
    expect(child.endsWith('-00')).toBe(true);
  });

  it('never repeats an id across the pages of its random pool', () => {
    const all = Array.from({ length: 2000 }, newTraceparent);
    expect(new Set(all.map((header) => traceIds(header).traceId)).size).toBe(all.length);
    expect(new Set(all.map((header) => traceIds(header).spanId)).size).toBe(all.length);
    for (const header of all) expect(header).toMatch(sound);
  });
});

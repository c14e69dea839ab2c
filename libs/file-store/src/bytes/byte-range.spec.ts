import fc from 'fast-check';
import { parseRange, type RequestedRange } from './byte-range.js';

const cases: [header: string | undefined, sizeBytes: number, expected: RequestedRange][] = [
  [undefined, 10, 'full'],
  ['', 10, 'full'],
  ['bytes=0-', 10, { start: 0, end: 9 }],
  ['bytes=0-0', 10, { start: 0, end: 0 }],
  ['bytes=2-5', 10, { start: 2, end: 5 }],
  ['bytes=9-9', 10, { start: 9, end: 9 }],
  ['bytes=5-100', 10, { start: 5, end: 9 }],
  ['bytes=5-99999999999999999999999999', 10, { start: 5, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-10', 10, { start: 0, end: 9 }],
  ['bytes=-500', 10, { start: 0, end: 9 }],
  ['bytes=007-008', 10, { start: 7, end: 8 }],
  [' bytes= 2-5 ', 10, { start: 2, end: 5 }],
  ['Bytes=2-5', 10, { start: 2, end: 5 }],
  ['bytes=2-5,', 10, { start: 2, end: 5 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-12', 10, 'unsatisfiable'],
  ['bytes=99999999999999999999999999-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=0-5', 0, 'unsatisfiable'],
  ['bytes=-5', 0, 'full'],
  ['bytes=5-2', 10, 'full'],
  ['bytes=0-1,4-5', 10, 'full'],
  ['bytes=0-1, -1', 10, 'full'],
  ['bytes=', 10, 'full'],
  ['bytes=-', 10, 'full'],
  ['bytes=,', 10, 'full'],
  ['bytes=a-b', 10, 'full'],
  ['bytes=1-b', 10, 'full'],
  ['bytes=1', 10, 'full'],
  ['bytes=-1-2', 10, 'full'],
  ['bytes=--2', 10, 'full'],
  ['bytes=+1-2', 10, 'full'],
  ['bytes=1.5-2', 10, 'full'],
  ['bytes=0x1-2', 10, 'full'],
  ['bytes 1-2', 10, 'full'],
  ['items=1-2', 10, 'full'],
  ['1-2', 10, 'full'],
];

describe('parseRange', () => {
  it.each(cases)('%j of %i bytes', (header, sizeBytes, expected) => {
    expect(parseRange(header, sizeBytes)).toEqual(expected);
  });

  it('never names a byte that is not there, whatever the header is', () => {
    const number = fc.oneof(fc.constant(''), fc.nat().map(String), fc.string({ maxLength: 3 }));
    const header = fc.oneof(
      fc.string(),
      fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
    );
    fc.assert(
      fc.property(header, fc.nat(1_000), (text, sizeBytes) => {
        const range = parseRange(text, sizeBytes);
        if (typeof range === 'string') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(sizeBytes);
      }),
    );
  });
});

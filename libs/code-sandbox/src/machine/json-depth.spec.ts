import fc from 'fast-check';
import { jsonDepth } from './json-depth.js';

const measured = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((item) => measured(item)))
    : 0;

describe('jsonDepth', () => {
  it.each([
    ['1', 0],
    ['"[[{"', 0],
    ['"\\"[\\\\"', 0],
    ['[]', 1],
    ['[{},[],{"a":[1]},2]', 3],
    ['['.repeat(5_000) + ']'.repeat(5_000), 5_000],
  ])('%.30s', (json, depth) => {
    expect(jsonDepth(json)).toBe(depth);
  });

  it('is that of the value, whatever its texts hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonDepth(JSON.stringify(value))).toBe(measured(value));
      }),
    );
  });
});

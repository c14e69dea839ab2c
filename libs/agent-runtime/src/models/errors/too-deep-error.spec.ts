import { isTooDeep, maxLevels } from './too-deep-error.js';

function lists(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

describe('isTooDeep', () => {
  it('lets as many levels be as there may be, and not one more', () => {
    expect(isTooDeep(lists(maxLevels))).toBe(false);
    expect(isTooDeep({ a: lists(maxLevels - 1), b: 'text', c: null })).toBe(false);
    expect(isTooDeep(lists(maxLevels + 1))).toBe(true);
    expect(isTooDeep({ a: 1, b: [{}, lists(maxLevels - 1)] })).toBe(true);
  });

  it('needs no stack for a value however deep', () => {
    expect(isTooDeep(lists(1_000_000))).toBe(true);
  });

  it.each([['text'], [1], [null], [undefined]])('is not so for %p', (value) => {
    expect(isTooDeep(value)).toBe(false);
  });
});

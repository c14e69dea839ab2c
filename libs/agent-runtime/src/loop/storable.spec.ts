import fc from 'fast-check';
import { storable, storableResult } from './storable.js';

const mebibyte = 1024 * 1024;

describe('storable', () => {
  it('replaces what Postgres refuses, however deep, keys too', () => {
    expect(storable({ 'a\0': ['b\uD800c', { d: '\uDC00' }], e: '😀', f: null, g: 1 })).toEqual({
      'a\uFFFD': ['b\uFFFDc', { d: '\uFFFD' }],
      e: '😀',
      f: null,
      g: 1,
    });
  });

  it('leaves nothing behind that cannot be stored', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: fc.integer({ max: 0xffff, min: 0 }).map(String.fromCharCode) }),
        (value) => {
          const json = JSON.stringify(storable(value));
          expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/);
        },
      ),
    );
  });
});

describe('storableResult', () => {
  it.each([
    ['plain', 'plain'],
    [undefined, null],
    [() => 1, null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ a: undefined, b: 'x\0' }, { b: 'x\uFFFD' }],
  ])('keeps %p as JSON', (given, result) => {
    expect(storableResult(given)).toEqual({ kind: 'result', result });
  });

  it('refuses what is no JSON', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const error = { kind: 'error', message: 'The tool gave a result that cannot be written as JSON.' };
    expect(storableResult(loop)).toEqual(error);
    expect(storableResult({ big: 1n })).toEqual(error);
  });

  it('takes a result of a mebibyte and no more', () => {
    expect(storableResult('x'.repeat(mebibyte - 2))).toMatchObject({ kind: 'result' });
    expect(storableResult('x'.repeat(mebibyte - 1))).toEqual({
      kind: 'error',
      message: 'The result is too long: 1048577 bytes, at most 1048576.',
    });
    expect(storableResult('ä'.repeat(mebibyte / 2))).toMatchObject({ kind: 'error' });
  });
});

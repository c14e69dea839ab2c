import { AppError } from '@aos/contracts';
import { depthExceeds, parseJson } from './json-body.js';

const bytes = (text: string) => Buffer.from(text);

function codeOf(input: Uint8Array): string {
  try {
    parseJson(input);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('parseJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' [] ', []],
    ['null', null],
    ['"é👩‍👧"', 'é👩‍👧'],
    ['\ufeff{}', {}],
  ])('reads %s', (text, value) => {
    expect(parseJson(bytes(text))).toEqual(value);
  });

  it.each(['', '{', '{"a":1,}', "{'a':1}", 'undefined', '{}{}'])('refuses %j', (text) => {
    expect(codeOf(bytes(text))).toBe('invalid_json');
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(codeOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('invalid_json');
  });

  it('refuses input nested deeper than 100 levels, and survives a million', () => {
    expect(parseJson(bytes('['.repeat(100) + ']'.repeat(100)))).toHaveLength(1);
    expect(codeOf(bytes('['.repeat(101) + ']'.repeat(101)))).toBe('invalid_json');
    expect(codeOf(bytes('['.repeat(1_000_000)))).toBe('invalid_json');
  });

  it('leaves a prototype key a key', () => {
    const value = parseJson(bytes('{"__proto__":{"a":1}}')) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value['a']).toBeUndefined();
  });
});

describe('depthExceeds', () => {
  it.each([
    ['[[]]', 2, false],
    ['[[]]', 1, true],
    ['{"a":{"b":1}}', 1, true],
    ['[[],[],[]]', 2, false],
    ['"[[[["', 1, false],
    ['["\\"[[", "[["]', 1, false],
    ['["\\\\", [[]]]', 2, true],
    ['', 0, false],
  ])('%s is deeper than %d: %s', (text, limit, expected) => {
    expect(depthExceeds(text, limit)).toBe(expected);
  });
});

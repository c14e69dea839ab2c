import { textOf } from './tool-result.js';

describe('textOf', () => {
  const whole = Buffer.from('aä€😀');

  it('gives text as it is', () => {
    expect(textOf(whole, false)).toBe('aä€😀');
    expect(textOf(Buffer.from('\uFEFFa'), false)).toBe('\uFEFFa');
    expect(textOf(Buffer.alloc(0), false)).toBe('');
  });

  it('leaves out a character that was cut', () => {
    const texts = Array.from(whole, (_, end) => textOf(whole.subarray(0, end), true));
    expect(texts).toEqual(['', 'a', 'a', 'aä', 'aä', 'aä', 'aä€', 'aä€', 'aä€', 'aä€']);
  });

  it.each([
    ['a character that is not whole, where nothing was cut', whole.subarray(0, 2), false],
    ['NUL', Buffer.from('a\0'), false],
    ['NUL at a cut', Buffer.from('a\0'), true],
    ['bytes that no character begins with', Buffer.from([0x61, 0xff]), true],
    ['a character that breaks off in the middle', Buffer.from([0xc3, 0x61]), true],
  ])('gives nothing for %s', (_name, bytes, isCut) => {
    expect(textOf(bytes, isCut)).toBeUndefined();
  });
});

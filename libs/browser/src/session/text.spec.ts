import { cutName, cutText } from './text.js';

describe('cutText', () => {
  it('leaves what fits', () => {
    expect(cutText('äb', 3)).toEqual({ text: 'äb', truncated: false });
  });

  it.each([
    [3, 'aä'],
    [2, 'a'],
    [4, 'aä'],
    [6, 'aä'],
    [7, 'aä😀'],
    [0, ''],
  ])('cuts at %i bytes between characters', (maxBytes, text) => {
    expect(cutText('aä😀z', maxBytes)).toEqual({ text, truncated: true });
  });
});

describe('cutName', () => {
  it.each([
    ['Home', 10, 'Home'],
    ['Home', 4, 'Home'],
    ['Home', 3, 'Hom'],
    // An emoji has two units.
    ['ab😀c', 3, 'ab'],
    ['ab😀c', 4, 'ab😀'],
    ['ab😀', 4, 'ab😀'],
    ['a\0b', 10, 'a\uFFFDb'],
    ['half \uD83D', 10, 'half \uFFFD'],
    ['\uDE00 half', 10, '\uFFFD half'],
    ['', 5, ''],
  ])('of %j at %i', (text, maxLength, name) => {
    expect(cutName(text, maxLength)).toBe(name);
    expect(name.isWellFormed()).toBe(true);
  });
});

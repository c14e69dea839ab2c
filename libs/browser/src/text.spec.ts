import { cutText } from './text.js';

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

import { lineDifference } from './line-difference.js';

describe('the difference of two texts', () => {
  it.each([
    ['', '', []],
    ['a\nb', 'a\nb', []],
    ['', 'a\nb', ['+ a', '+ b']],
    ['a\nb', '', ['- a', '- b']],
    ['a\nb\nc', 'a\nx\nc', ['- b', '+ x']],
    ['a\nb\nc\nd', 'b\nd\ne', ['- a', '- c', '+ e']],
  ])('%j and %j is %j', (before, after, lines) => expect(lineDifference(before, after)).toEqual(lines));

  it('of very long texts is all of them', () => {
    const text = (word: string) => Array.from({ length: 3_000 }, () => word).join('\n');
    expect(lineDifference(text('a'), text('b'))).toHaveLength(6_000);
  });
});

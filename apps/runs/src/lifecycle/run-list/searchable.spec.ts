import { containing, searchable } from './run-filters.js';

describe('a title that can be searched', () => {
  it.each([
    ['Weekly REPORT', 'weekly report'],
    ['ÜBER Ångström', 'über ångström'],
    ['Cafe\u0301', 'caf\u00e9'],
  ])('folds %s', (title, folded) => {
    expect(searchable(title)).toBe(folded);
  });

  it.each([
    ['50%', '%50\\%%'],
    ['a_b', '%a\\_b%'],
    ['C:\\temp', '%c:\\\\temp%'],
    [`'; DROP TABLE run --`, `%'; drop table run --%`],
  ])('is looked for by its letters: %s', (text, pattern) => {
    expect(containing(text)).toBe(pattern);
  });
});

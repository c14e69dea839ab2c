import { rubricSlug } from './rubric-slug.js';

describe('rubricSlug', () => {
  it.each([
    ['Polite tone', [], 'polite-tone'],
    ['Polite tone!', ['polite-tone'], 'polite-tone-2'],
    ['Polite tone', ['polite-tone', 'polite-tone-2'], 'polite-tone-3'],
    ['Été à Genève', [], 'e-te-a-gene-ve'],
    ['日本語です', [], 'rubric'],
    ['---', ['rubric'], 'rubric-2'],
  ])('names %s beside %j', (title, taken, expected) => {
    expect(rubricSlug(title, taken)).toBe(expected);
  });

  it('stays short', () => {
    expect(rubricSlug('word '.repeat(100), []).length).toBeLessThanOrEqual(60);
  });
});

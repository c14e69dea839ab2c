import { normalizeMemoryPath } from './memory-path.js';

describe('normalizeMemoryPath', () => {
  it.each([
    ['notes.md', 'notes.md'],
    ['a/b/c.txt', 'a/b/c.txt'],
    ['a//b/./c.txt', 'a/b/c.txt'],
    ['naïve/日本.md', 'naïve/日本.md'],
    ['..hidden', '..hidden'],
  ])('takes %s', (text, expected) => {
    expect(normalizeMemoryPath(text)).toBe(expected);
  });

  it.each([
    '',
    '.',
    '/',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a/..',
    'a/',
    'a\\..\\x',
    'a\0b',
    'a\nb',
    'x'.repeat(513),
  ])('refuses %j', (text) => {
    expect(normalizeMemoryPath(text)).toBeUndefined();
  });
});

import { kindOf } from './file-kind';

describe('how a file is shown', () => {
  it.each([
    ['image/png', 'base64', 'a.png', 'picture'],
    ['text/markdown; charset=utf-8', 'utf-8', 'answer.md', 'markdown'],
    ['application/json', 'utf-8', 'a.json', 'text'],
    ['application/zip', 'base64', 'a.zip', 'none'],
    ['application/pdf', 'base64', 'a.pdf', 'none'],
  ] as const)('%s (%s) of %s is %s', (type, encoding, path, kind) => {
    expect(kindOf(type, encoding, path)).toBe(kind);
  });

  it.each([
    ['text/html', 'page.html'],
    ['image/svg+xml', 'picture.svg'],
    ['application/xhtml+xml', 'page.xhtml'],
  ])('never runs %s', (type, path) => {
    expect(kindOf(type, 'utf-8', path)).toBe('text');
    expect(kindOf(type, 'base64', path)).toBe('none');
  });
});

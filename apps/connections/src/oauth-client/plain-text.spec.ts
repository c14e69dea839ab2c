import { hasPlainTexts, isPlainText } from './plain-text.js';

const crooked = ['\u0000', 'a\u0000b', 'a\nb', '\u007f', '\u009f', '\ud800', 'a\udc00b'];

describe('a text that a server told', () => {
  it.each(['', 'https://login.example.com/token?a=b c', 'é 日本 🙂'])('is plain: %j', (text) => {
    expect(isPlainText(text)).toBe(true);
  });

  it.each([...crooked, 1, null, undefined, {}, ['a']])('is not plain: %j', (value) => {
    expect(isPlainText(value)).toBe(false);
  });

  it('is found wherever it is', () => {
    expect(hasPlainTexts({ issuer: 'a', more: { scopes: ['b', 'c'], flag: true, none: undefined } })).toBe(
      true,
    );
    for (const text of crooked) {
      expect(hasPlainTexts({ issuer: text })).toBe(false);
      expect(hasPlainTexts({ issuer: 'a', more: { scopes: ['b', text] } })).toBe(false);
    }
  });
});

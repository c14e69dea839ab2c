import { oneLine, safeText } from './safe-text.js';

describe('safeText', () => {
  it.each([
    '\u001b[31m',
    '\u001b]0;title\u0007',
    '\u009b2J',
    '\r',
    '\b',
    '\u0000',
    '\u202e',
    '\u2066',
    '\u007f',
  ])('takes %j apart', (hostile) => {
    const shown = safeText(`before${hostile}after`);
    expect(shown).toMatch(/^before.*after$/s);
    for (const character of hostile.replaceAll(/[\u0020-\u007e]/g, ''))
      expect(shown).not.toContain(character);
  });

  it('leaves text as it is', () => {
    const text = 'Line one\n\tLine two: ü, 漢字, 👩‍👩‍👧';
    expect(safeText(text)).toBe(text);
    expect(safeText('a\r\nb')).toBe('a\nb');
  });
});

describe('oneLine', () => {
  it('cuts by characters, not in the middle of one', () => {
    expect(oneLine('a\n  b')).toBe('a b');
    expect(oneLine('🙂🙂🙂🙂', 3)).toBe('🙂🙂…');
  });
});

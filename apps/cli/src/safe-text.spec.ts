import { oneLine, safePieces, safeText } from './safe-text.js';

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

describe('safePieces', () => {
  async function shown(...pieces: (string | number[])[]): Promise<string> {
    async function* bytes() {
      for (const piece of pieces)
        yield typeof piece === 'string' ? Buffer.from(piece) : Uint8Array.from(piece);
    }
    let text = '';
    for await (const piece of safePieces(bytes())) text += piece;
    return text;
  }

  it('takes apart what steers a terminal, and ends with a line', async () => {
    expect(await shown('before\u001b', '[2Jafter')).toBe('before\ufffd[2Jafter\n');
    expect(await shown('a\n')).toBe('a\n');
    expect(await shown()).toBe('');
  });

  it('leaves characters and line breaks whole that come in pieces', async () => {
    expect(await shown('a\r', '\nb', [0xe6, 0xbc], [0xa2], '\n')).toBe('a\nb漢\n');
    expect(await shown('a\r', 'b\r')).toBe('a\ufffdb\ufffd\n');
  });
});

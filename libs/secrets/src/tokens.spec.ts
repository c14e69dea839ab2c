import { hashToken, randomToken, timingSafeEqualText } from './tokens.js';

describe('tokens', () => {
  it('hashes with SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('makes tokens of 32 random bytes behind the prefix', () => {
    const tokens = new Set(Array.from({ length: 100 }, () => randomToken('aos_')));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^aos_[A-Za-z0-9_-]{43}$/);
  });

  it('compares texts of any length', () => {
    expect(timingSafeEqualText('same', 'same')).toBe(true);
    expect(timingSafeEqualText('', '')).toBe(true);
    expect(timingSafeEqualText('same', 'sane')).toBe(false);
    expect(timingSafeEqualText('same', 'same ')).toBe(false);
  });
});

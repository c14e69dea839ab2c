import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { KeyRing, SealError, isSealed, type SealErrorReason } from './key-ring.js';

const keyText = (): string => randomBytes(32).toString('base64');
const ringOf = (keyId: string): KeyRing => KeyRing.parse(`${keyId}:${keyText()}`);

function reasonOf(open: () => unknown): SealErrorReason | undefined {
  try {
    open();
  } catch (error) {
    if (error instanceof SealError) return error.reason;
    throw error;
  }
  return undefined;
}

function flipBit(sealed: string, byteIndex: number): string {
  const [version, keyId, encoded] = sealed.split('.') as [string, string, string];
  const body = Buffer.from(encoded, 'base64url');
  const index = byteIndex < 0 ? body.length + byteIndex : byteIndex;
  body.writeUInt8(body.readUInt8(index) ^ 1, index);
  return `${version}.${keyId}.${body.toString('base64url')}`;
}

describe('KeyRing', () => {
  it('opens what it sealed, whatever the text', () => {
    const ring = ringOf('k1');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plaintext, context) => {
        const sealed = ring.seal(plaintext, context);
        expect(isSealed(sealed)).toBe(true);
        expect(ring.open(sealed, context)).toBe(plaintext);
      }),
    );
  });

  it('names version and key, and never gives the same text twice', () => {
    const ring = ringOf('2026-07_a');
    const first = ring.seal('hello', 'ctx');
    expect(first).toMatch(/^v1\.2026-07_a\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(first.split('.')[2] ?? '', 'base64url')).toHaveLength(12 + 5 + 16);
    expect(ring.seal('hello', 'ctx')).not.toBe(first);
  });

  it('opens values of a rotated key and seals with the new one', () => {
    const oldKey = `old:${keyText()}`;
    const sealed = KeyRing.parse(oldKey).seal('kept', 'ctx');
    const rotated = KeyRing.parse(`new:${keyText()},${oldKey}`);
    expect(rotated.open(sealed, 'ctx')).toBe('kept');
    expect(rotated.currentKeyId).toBe('new');
    expect(rotated.seal('x', 'ctx')).toMatch(/^v1\.new\./);
    expect(reasonOf(() => ringOf('new').open(sealed, 'ctx'))).toBe('unknown_key');
  });

  it('refuses a changed bit in every byte of nonce, ciphertext and tag', () => {
    const ring = ringOf('k1');
    const sealed = ring.seal('five!', 'ctx');
    for (let index = 0; index < 12 + 5 + 16; index += 1) {
      expect(reasonOf(() => ring.open(flipBit(sealed, index), 'ctx'))).toBe('rejected');
    }
  });

  it('refuses another context and a value relabelled to another key', () => {
    const ring = KeyRing.parse(`a:${keyText()},b:${keyText()}`);
    const sealed = ring.seal('secret', 'idempotency:team-1');
    expect(reasonOf(() => ring.open(sealed, 'idempotency:team-2'))).toBe('rejected');
    expect(reasonOf(() => ring.open(sealed.replace('v1.a.', 'v1.b.'), 'idempotency:team-1'))).toBe(
      'rejected',
    );
  });

  it.each(['', 'plain', 'v1.k1.', 'v1.k1.AAAA', `v2.k1.${'A'.repeat(40)}`, `v1.k 1.${'A'.repeat(40)}`])(
    'calls %p malformed',
    (text) => {
      expect(isSealed(text)).toBe(false);
      expect(reasonOf(() => ringOf('k1').open(text, 'ctx'))).toBe('malformed');
    },
  );

  it('refuses a second spelling of the same bytes', () => {
    const ring = ringOf('k1');
    const sealed = ring.seal('', 'ctx');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = sealed.slice(0, -1) + alphabet[(alphabet.indexOf(sealed.slice(-1)) ^ 1) & 63];
    expect(reasonOf(() => ring.open(other, 'ctx'))).toBe('malformed');
  });

  it('shows no key material when it is printed', () => {
    const material = keyText();
    const ring = KeyRing.parse(`k1:${material}`);
    const printed = inspect(ring, { depth: 10, showHidden: true }) + JSON.stringify(ring);
    expect(printed).not.toContain(material);
    expect(printed).not.toContain(Buffer.from(material, 'base64').toString('hex').slice(0, 8));
  });
});

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { linkKeysOf, signLink, verifyLink, type LinkClaims } from './signed-links.js';

const first = { keyId: 'k1', material: Buffer.alloc(32, 1) };
const second = { keyId: 'k2', material: Buffer.alloc(32, 2) };
const keys = linkKeysOf([first]);
const now = new Date('2026-07-18T12:00:00.000Z');
const later = new Date(now.getTime() + 60_000);
const claims = { sandbox_id: '0193', path: '/workspace/a b/ü.txt', max_bytes: 104_857_600 };
const token = signLink({ kind: 'download', ...claims }, keys, later);

describe('signed links', () => {
  it('give the claims back until they expire', () => {
    expect(verifyLink(token, 'download', keys, now)).toEqual(claims);
    expect(verifyLink(token, 'download', keys, new Date(later.getTime() - 1))).toEqual(claims);
    expect(verifyLink(token, 'download', keys, later)).toBeUndefined();
    expect(verifyLink(token, 'download', keys, new Date(Number.NaN))).toBeUndefined();
  });

  it('fit into an address as they are', () => {
    expect(token).toMatch(/^v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
    expect(encodeURIComponent(token)).toBe(token);
  });

  it('stay what they are, so that links outlive a release', () => {
    expect(signLink({ kind: 'upload', a: 1 }, keys, new Date(1_000))).toBe(
      'v1.WyJ1cGxvYWQiLDEwMDAseyJhIjoxfV0.ra9gFE_uHucDVRFvH3ktC-_PLHqHztx9n776YPFnUfI',
    );
  });

  it('are for one kind only', () => {
    const upload = signLink({ kind: 'upload', ...claims }, keys, later);
    expect(verifyLink(upload, 'upload', keys, now)).toEqual(claims);
    expect(verifyLink(upload, 'download', keys, now)).toBeUndefined();
    expect(verifyLink(token, 'upload', keys, now)).toBeUndefined();
  });

  it('are signed with the first key and verified with all', () => {
    const rotated = linkKeysOf([second, first]);
    expect(verifyLink(token, 'download', rotated, now)).toEqual(claims);
    const fresh = signLink({ kind: 'download', ...claims }, rotated, later);
    expect(verifyLink(fresh, 'download', linkKeysOf([second]), now)).toEqual(claims);
    expect(verifyLink(fresh, 'download', keys, now)).toBeUndefined();
  });

  it('are not signed with the very keys that seal secrets', () => {
    expect(keys[0]).toHaveLength(32);
    expect(keys[0].equals(first.material)).toBe(false);
    expect(verifyLink(token, 'download', [first.material], now)).toBeUndefined();
  });

  it('do not survive the change of any character, nor its loss', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    for (let index = 0; index < token.length; index += 1) {
      const rest = [token.slice(0, index), token.slice(index + 1)] as const;
      expect(verifyLink(rest.join(''), 'download', keys, now)).toBeUndefined();
      for (const other of alphabet) {
        if (other === token[index]) continue;
        expect(verifyLink(rest.join(other), 'download', keys, now)).toBeUndefined();
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['dots', '..'],
    ['another version', token.replace(/^v1/, 'v2')],
    ['a blank at the end', `${token} `],
    ['a line break at the end', `${token}\n`],
    ['padding', `${token}=`],
    ['another part', `${token}.x`],
    ['no signature', token.slice(0, token.lastIndexOf('.') + 1)],
    ['a very long text', `v1.${'A'.repeat(5_000_000)}.${'A'.repeat(43)}`],
    [
      'JSON that is signed by nobody',
      `v1.${Buffer.from('["download",9e15,{}]').toString('base64url')}.${'A'.repeat(43)}`,
    ],
  ])('are not %s', (_, text) => {
    expect(verifyLink(text, 'download', keys, now)).toBeUndefined();
  });

  it('never throw, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (text) => {
        expect(verifyLink(text as string, 'download', keys, now)).toBeUndefined();
      }),
    );
  });

  it('carry any small claims, and none of them can pass for kind or end', () => {
    const value = fc.oneof(fc.string({ maxLength: 40 }), fc.integer(), fc.boolean(), fc.constant(null));
    const names = fc.string({ maxLength: 12 }).filter((name) => name !== 'kind' && name !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(names, value, { maxKeys: 6 }), (given) => {
        const made = signLink({ ...given, kind: 'upload' } as LinkClaims & { kind: 'upload' }, keys, later);
        expect(verifyLink(made, 'upload', keys, now)).toEqual({ ...given });
        expect(verifyLink(made, 'upload', keys, later)).toBeUndefined();
      }),
    );
  });

  it('refuse to be made too large, or without an end', () => {
    const large = { kind: 'upload', text: randomBytes(2_000).toString('hex') } as const;
    expect(() => signLink(large, keys, later)).toThrow(RangeError);
    expect(() => signLink({ kind: 'upload' }, keys, new Date(Number.NaN))).toThrow(RangeError);
  });
});

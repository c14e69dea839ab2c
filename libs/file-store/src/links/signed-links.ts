import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { maxLinkTokenLength } from '@aos/contracts';

export type LinkKind = 'upload' | 'download';

/** Few and short: they travel in the address. They are authenticated, not hidden. */
export type LinkClaims = Readonly<Record<string, string | number | boolean | null>>;

/** Keys for links only; the first signs, all verify. */
export type LinkKeys = readonly [Buffer, ...Buffer[]];

const version = 'v1';
const tokenPattern = /^(v1\.[A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** Derives the keys from those of `SECRETS_KEYS`, so that a link says nothing about what is sealed with them. */
export function linkKeysOf(
  secretsKeys: readonly [{ readonly material: Buffer }, ...{ readonly material: Buffer }[]],
): LinkKeys {
  const [first, ...others] = secretsKeys;
  return [derive(first), ...others.map(derive)];
}

/** A token for an address: claims, kind and end, signed with HMAC-SHA256. */
export function signLink(
  { kind, ...claims }: LinkClaims & { readonly kind: LinkKind },
  keys: LinkKeys,
  expiresAt: Date,
): string {
  // toISOString throws on an invalid date, which as a number would be a link that never was valid.
  const content = JSON.stringify([kind, Date.parse(expiresAt.toISOString()), claims]);
  const signed = `${version}.${Buffer.from(content, 'utf8').toString('base64url')}`;
  const token = `${signed}.${signatureOf(signed, keys[0])}`;
  if (token.length > maxLinkTokenLength) throw new RangeError('The claims of a link are too large.');
  return token;
}

/** The claims of a token, or nothing: expired, altered, of another kind, signed by another key. Never throws. */
export function verifyLink(token: string, kind: LinkKind, keys: LinkKeys, now: Date): LinkClaims | undefined {
  if (typeof token !== 'string' || token.length > maxLinkTokenLength) return undefined;
  const [, signed, signature] = tokenPattern.exec(token) ?? [];
  if (signed === undefined || signature === undefined) return undefined;
  if (!keys.some((key) => isSame(signature, signatureOf(signed, key)))) return undefined;
  const [signedKind, expiresAt, claims] = contentOf(signed);
  return signedKind === kind && now.getTime() < expiresAt ? claims : undefined;
}

function derive({ material }: { readonly material: Buffer }): Buffer {
  return Buffer.from(hkdfSync('sha256', material, '', 'aos signed links v1', 32));
}

function signatureOf(signed: string, key: Buffer): string {
  return createHmac('sha256', key).update(signed, 'utf8').digest('base64url');
}

/** Texts are compared, not bytes: base64url has several texts for the same bytes. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'));
}

/** Only for what has just been verified: only `signLink` can have made it. */
function contentOf(signed: string): [LinkKind, number, LinkClaims] {
  const text = Buffer.from(signed.slice(version.length + 1), 'base64url').toString('utf8');
  return JSON.parse(text) as [LinkKind, number, LinkClaims];
}

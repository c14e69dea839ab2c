import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

/** SHA-256 as hex: enough for tokens of 256 random bits, and the only form in which they are stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** A new credential: the prefix and 43 base64url characters (32 random bytes). */
export function randomToken(prefix: string): string {
  return prefix + randomBytes(tokenBytes).toString('base64url');
}

/** Compares digests, so that neither the content nor the length of a secret shows in the time taken. */
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

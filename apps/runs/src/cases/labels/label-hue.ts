import { createHash } from 'node:crypto';

/** A colour for the labels of a key, the same each time. */
export function hueOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) % 360;
}

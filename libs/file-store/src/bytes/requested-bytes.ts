import type { ByteRange } from '../file-store.js';

/** A range that makes no sense whatever the file is a mistake in the program. */
export function assertByteRange({ start, end = start }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('The range is not one of bytes.');
  }
}

export function rangeBehindEnd(): RangeError {
  return new RangeError('The range begins behind the last byte.');
}

const maxKeyLength = 512;
// A name of a file system has 255 bytes at most.
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}';
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`);
// The start of a key: whole segments, and of the last one as much as there is.
const prefixPattern = new RegExp(`^(?:${segment}/)*(?:${segment})?$`);

/** Keys are made by services, never by callers from outside: a bad one is a mistake in the program. */
export class InvalidFileKey extends TypeError {
  override readonly name = 'InvalidFileKey';
}

/**
 * Segments of letters, digits, `.`, `_` and `-`. None begins with a dot: that keeps `.` and `..` out, and leaves
 * names for the store's own use.
 */
export function isFileKey(key: string): boolean {
  return isShort(key) && keyPattern.test(key);
}

export function assertFileKey(key: string): void {
  if (!isFileKey(key)) throw new InvalidFileKey(`Not a file key: ${shown(key)}`);
}

/** What `list` takes: the start of a key, up to any character of it, or nothing. */
export function assertKeyPrefix(prefix: string): void {
  if (!isShort(prefix) || !prefixPattern.test(prefix)) {
    throw new InvalidFileKey(`Not the start of a file key: ${shown(prefix)}`);
  }
}

function isShort(text: unknown): boolean {
  return typeof text === 'string' && text.length <= maxKeyLength;
}

function shown(text: unknown): string {
  return JSON.stringify(String(text).slice(0, 80));
}

/**
 * At most `maxLength` UTF-16 units that can be stored: what a page calls itself may hold a NUL or half a character, and
 * a cut may make one of the latter.
 */
export function cutName(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  const whole = cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
  return whole.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** At most `maxBytes` of UTF-8, never half a character. */
export function cutText(text: string, maxBytes: number): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  let end = maxBytes;
  // Bytes 10xxxxxx go on with a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { text: bytes.toString('utf8', 0, end), truncated: true };
}

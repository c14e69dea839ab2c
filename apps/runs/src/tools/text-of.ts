/**
 * Bytes as text, or undefined if they are none: UTF-8 without NUL. Where they were cut off, a character of which only
 * the beginning is there is left out.
 */
export function textOf(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

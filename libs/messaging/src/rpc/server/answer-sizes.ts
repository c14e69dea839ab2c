/** Larger answers wait under a key of their own, and only the way to them is published. */
export const publishedBytes = 64 * 1024;
/** No published message is much larger, however many answers are ready together. */
export const messageBytes = 1024 * 1024;
/** What is larger than this is refused to its caller. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/** Splits what is to be sent together, in order, so that no part is larger than it may be; one item always fits. */
export function inParts<T>(items: readonly T[], bytesOf: (item: T) => number, maxBytes: number): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    if (parts.length === 0 || bytes > room) {
      parts.push([]);
      room = maxBytes;
    }
    parts.at(-1)!.push(item);
    room -= bytes;
  }
  return parts;
}

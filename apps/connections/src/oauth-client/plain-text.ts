/**
 * A text as servers that mean well send them. Others, with halves of characters or with control characters, cannot be
 * stored or sent.
 */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** Whether all texts in what a server told are plain. */
export function hasPlainTexts(told: object): boolean {
  return Object.values(told).every((value: unknown) => {
    if (typeof value === 'object' && value !== null) return hasPlainTexts(value);
    return typeof value !== 'string' || isPlainText(value);
  });
}

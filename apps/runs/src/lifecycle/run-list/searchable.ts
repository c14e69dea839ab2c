/**
 * A title as `run_title` holds it and searches compare it. Folded here, because Postgres folds only ASCII where its
 * locale is C, and because LIKE reads 500 000 titles in 0.17 s where ILIKE needs 0.40 s.
 */
export function searchable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The pattern of titles that contain the text, whatever it is made of. */
export function containing(text: string): string {
  return `%${searchable(text).replace(/[\\%_]/g, '\\$&')}%`;
}

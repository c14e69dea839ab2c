const maxLength = 60;

/** A readable name that no other rubric of the build has: `polite-tone`, `polite-tone-2`. */
export function rubricSlug(title: string, taken: readonly string[]): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-+|-+$/g, '');
  const base = words || 'rubric';
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(slug)) return slug;
  }
}

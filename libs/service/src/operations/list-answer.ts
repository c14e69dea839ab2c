import type { Page } from '@aos/persistence';

/** Names the items of a page: `{<plural>: [...], total, limit, offset}`. */
export function listAnswer<const K extends string, T, R>(
  plural: K,
  page: Page<T>,
  map: (item: T) => R,
): Record<K, R[]> & { total: number; limit: number; offset: number } {
  return {
    [plural]: page.items.map(map),
    total: page.total,
    limit: page.limit,
    offset: page.offset,
  } as Record<K, R[]> & { total: number; limit: number; offset: number };
}

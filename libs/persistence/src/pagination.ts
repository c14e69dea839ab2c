import type { FindManyOptions, ObjectLiteral, Repository } from 'typeorm';

/** One page of a list as every list operation answers it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** A page of rows through TypeORM, with how many there are in all. */
export async function findPage<Entity extends ObjectLiteral>(
  rows: Repository<Entity>,
  options: Pick<FindManyOptions<Entity>, 'select' | 'where' | 'order'>,
  page: PageRequest,
): Promise<Page<Entity>> {
  // One after the other: `findAndCount` asks both at once, which pg does not take on the connection of a transaction.
  const items = await rows.find({ ...options, take: page.limit, skip: page.offset });
  const total = await rows.count({ where: options.where });
  return { items, total, ...page };
}

/** About how large a page may be as JSON. */
const pageBytes = 4 * 1024 * 1024;

/**
 * The rows of a page as SQL, fewer where they would be too large together, but one at least. Each row tells in
 * `page_rows` how many there were before that.
 */
export function withinPageBytes(rows: string, { order, bytes }: { order: string; bytes: string }): string {
  return `SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(${bytes}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (${rows}) AS page) AS page
   WHERE coalesce(bytes_before, 0) < ${pageBytes} ORDER BY ${order}`;
}

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

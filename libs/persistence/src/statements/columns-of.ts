import { getMetadataArgsStorage } from 'typeorm';

/** The table of an entity. */
export function tableOf(entity: abstract new () => object): string {
  const { name } = getMetadataArgsStorage().tables.find(({ target }) => target === entity)!;
  return name!;
}

/**
 * The columns of an entity, as a statement lists them. A prepared statement with `*` would give other columns after a
 * release adds one, which Postgres refuses.
 */
export function columnsOf(entity: abstract new () => object, table?: string): string {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  const names = columns.map(({ propertyName, options }) => options.name ?? propertyName);
  return names.map((name) => (table === undefined ? name : `${table}.${name}`)).join(', ');
}

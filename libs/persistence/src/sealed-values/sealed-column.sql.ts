/** A column with sealed values: where it is, and in which context each was sealed. */
export interface SealedColumn {
  readonly table: string;
  /** Its name has `sealed` in it, so that `npm run keys` finds it. */
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The context of a value, from the columns of the key and those in `reads`. */
  context(row: Readonly<Record<string, unknown>>): string;
  readonly reads?: readonly string[];
}

/** The key ids of a column's values, with how many values each has. What is not sealed is not counted. */
export function keyIdsSql({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string {
  return `SELECT split_part(${column}, '.', 2) AS key_id, count(*)::int AS count
    FROM ${table} WHERE ${column} LIKE 'v1.%' GROUP BY 1 ORDER BY 1`;
}

/** Values under the given key ids (`$1`), at most `$2`; a further page is behind a primary key (`$3` …). */
export function sealedRowsSql({ table, column, key, reads = [] }: SealedColumn, isFirst: boolean): string {
  const places = key.map((_, index) => `$${index + 3}`);
  const behind = isFirst ? '' : `AND (${key.join(', ')}) > (${places.join(', ')})`;
  return `SELECT ${[...key, ...reads].join(', ')}, ${column} AS sealed_value FROM ${table}
    WHERE ${column} LIKE 'v1.%' AND split_part(${column}, '.', 2) = ANY ($1) ${behind}
    ORDER BY ${key.join(', ')} LIMIT $2`;
}

/** Replaces a value unless it has changed meanwhile: `$1` the new one, `$2` the old one, then the primary key. */
export function resealSql({ table, column, key }: SealedColumn): string {
  const isRow = key.map((name, index) => `${name} = $${index + 3}`).join(' AND ');
  return `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${isRow}`;
}

import type { QueryableDatabase } from '../infrastructure/test-database.js';

export interface CatalogColumn {
  readonly type: string;
  readonly required: boolean;
  /** Filled in where a statement does not name it: by a default, as an identity or computed. */
  readonly filled: boolean;
}

/** What statements depend on, of the tables of one schema. */
export interface SchemaCatalog {
  readonly tables: Readonly<Record<string, Readonly<Record<string, CatalogColumn>>>>;
  /** What rows must obey: checks, keys, uniqueness; by the table and the definition. */
  readonly rules: Readonly<Record<string, readonly string[]>>;
}

const columns = `
  SELECT class.relname AS table, attribute.attname AS column,
         format_type(attribute.atttypid, attribute.atttypmod) AS type,
         attribute.attnotnull AS required,
         attribute.atthasdef OR attribute.attidentity <> '' OR attribute.attgenerated <> '' AS filled
    FROM pg_attribute AS attribute JOIN pg_class AS class ON class.oid = attribute.attrelid
   WHERE class.relnamespace = $1::regnamespace AND class.relkind IN ('r', 'p') AND class.relname <> 'migration'
     AND attribute.attnum > 0 AND NOT attribute.attisdropped
   ORDER BY 1, 2`;

/** Indexes that are unique make a rule; of constraints, those on columns that may not be null are there already. */
const rules = `
  SELECT class.relname AS table, pg_get_constraintdef(rule.oid) AS rule
    FROM pg_constraint AS rule JOIN pg_class AS class ON class.oid = rule.conrelid
   WHERE class.relnamespace = $1::regnamespace AND class.relname <> 'migration' AND rule.contype <> 'n'
   UNION
  SELECT class.relname, regexp_replace(pg_get_indexdef(entry.indexrelid), '^CREATE UNIQUE INDEX \\S+ ON \\S+ ', 'UNIQUE ')
    FROM pg_index AS entry JOIN pg_class AS class ON class.oid = entry.indrelid
   WHERE class.relnamespace = $1::regnamespace AND class.relname <> 'migration' AND entry.indisunique
   ORDER BY 1, 2`;

export async function readCatalog(database: QueryableDatabase, schema: string): Promise<SchemaCatalog> {
  const found = await database.query<CatalogColumn & { table: string; column: string }>(columns, [schema]);
  const obeyed = await database.query<{ table: string; rule: string }>(rules, [schema]);
  const tables: Record<string, Record<string, CatalogColumn>> = {};
  for (const { table, column, ...rest } of found) (tables[table] ??= {})[column] = rest;
  const byTable: Record<string, string[]> = {};
  for (const { table, rule } of obeyed) (byTable[table] ??= []).push(rule);
  return { tables, rules: byTable };
}

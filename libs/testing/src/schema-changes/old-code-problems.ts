import type { CatalogColumn, SchemaCatalog } from './schema-catalog.js';

/**
 * What code that was written for the tables of before could not do with those of after: each entry begins with the name of
 * a table, a column (`table.column`) or a rule. Code of before names the columns that it knew, in its own types, and obeys
 * the rules that it knew.
 */
export function oldCodeProblems(before: SchemaCatalog, after: SchemaCatalog): string[] {
  return Object.entries(before.tables).flatMap(([table, columns]) => {
    const now = after.tables[table];
    if (!now) return [`${table}: is gone`];
    return [
      ...Object.entries(columns).flatMap(([name, column]) => changeOf(`${table}.${name}`, column, now[name])),
      ...Object.entries(now)
        .filter(([name, { required, filled }]) => !(name in columns) && required && !filled)
        .map(([name]) => `${table}.${name}: is new, required, and filled in by nothing`),
      ...newRules(table, before, after),
    ];
  });
}

function changeOf(name: string, before: CatalogColumn, after: CatalogColumn | undefined): string[] {
  if (!after) return [`${name}: is gone`];
  const problems: string[] = [];
  if (before.type !== after.type) problems.push(`${name}: was ${before.type} and is ${after.type}`);
  if (!before.required && after.required) problems.push(`${name}: may no longer be null`);
  if (before.filled && !after.filled && after.required) problems.push(`${name}: is no longer filled in`);
  return problems;
}

function newRules(table: string, before: SchemaCatalog, after: SchemaCatalog): string[] {
  const known = new Set(before.rules[table]);
  return (after.rules[table] ?? [])
    .filter((rule) => !known.has(rule))
    .map((rule) => `${table}: has a new rule, ${rule}`);
}

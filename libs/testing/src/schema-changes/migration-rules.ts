import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a migration may say of itself, beside what TypeORM knows. */
export interface DeclaredMigration extends MigrationInterface {
  /** What it takes away from old code, as `oldCodeProblems` names it, and since when nothing uses that. */
  readonly contracts?: Readonly<Record<string, string>>;
}

export type MigrationClass = new () => object;

const identifier = String.raw`"?(?<table>\w+)"?`;
const createTable = new RegExp(String.raw`\bCREATE TABLE (?:IF NOT EXISTS )?${identifier}`, 'gi');
const alterTable = new RegExp(
  String.raw`\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?${identifier}(?<rest>[^;]*)`,
  'gi',
);
const createIndex = new RegExp(
  String.raw`\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?"?\w*"? ?ON (?:ONLY )?${identifier}`,
  'gi',
);
const backfill = new RegExp(
  String.raw`\b(?:UPDATE|DELETE FROM) (?:ONLY )?${identifier}(?: AS \w+| \w+)?(?= SET| USING| WHERE|\s*$)`,
  'gi',
);
const concurrently = /^\s*(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY\b/i;
/** What the helpers for indexes ask and set around it. */
const aroundIndex = /^\s*(?:SET|RESET) lock_timeout\b|\bpg_index\b/i;

/**
 * Where a migration stands in the way of the replicas that work meanwhile (ADR 24): it may hold a lock for no longer than
 * a moment. Tables that it makes itself, or that were made since the release, have no rows that anybody waits for.
 */
export function migrationProblems(statements: readonly string[], newTables: ReadonlySet<string>): string[] {
  const all = statements.join(';\n').replaceAll(/\s+/g, ' ');
  const old = (table: string | undefined) => table !== undefined && !newTables.has(table);
  const problems: string[] = [];
  for (const { groups } of all.matchAll(createIndex)) {
    if (old(groups?.['table']))
      problems.push(`${groups!['table']}: an index is made with createIndexConcurrently`);
  }
  for (const { groups } of all.matchAll(alterTable)) {
    if (old(groups?.['table'])) problems.push(...alterProblems(groups!['table']!, groups!['rest']!));
  }
  for (const { groups } of all.matchAll(backfill)) {
    if (old(groups?.['table']))
      problems.push(`${groups!['table']}: rows are changed by a job, some at a time`);
  }
  const others = statements.filter((sql) => !concurrently.test(sql) && !aroundIndex.test(sql));
  if (others.length > 0 && others.length < statements.filter((sql) => !aroundIndex.test(sql)).length) {
    problems.push('what makes an index concurrently does nothing else');
  }
  return problems;
}

function alterProblems(table: string, rest: string): string[] {
  const problems: string[] = [];
  if (/\bADD (?:CONSTRAINT \S+ )?(?:CHECK|FOREIGN KEY)\b/i.test(rest) && !/\bNOT VALID\b/i.test(rest)) {
    problems.push(`${table}: a constraint is added NOT VALID, and validated by a later migration`);
  }
  if (/\bADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY)\b/i.test(rest) && !/\bUSING INDEX\b/i.test(rest)) {
    problems.push(`${table}: a key is added USING INDEX, one that was made concurrently`);
  }
  if (/\bALTER (?:COLUMN )?(?!COLUMN )\S+ (?:SET DATA )?TYPE\b/i.test(rest)) {
    problems.push(`${table}: a change of type rewrites all rows; add a column and fill it`);
  }
  if (/\bALTER (?:COLUMN )?\S+ SET NOT NULL\b/i.test(rest)) {
    problems.push(`${table}: SET NOT NULL reads all rows; add a CHECK that is NOT VALID, and validate it`);
  }
  if (/\bRENAME\b/i.test(rest))
    problems.push(`${table}: old code does not know the new name; add, copy, then drop`);
  return problems;
}

/** The statements of a migration, as it would make them in a database in which there is nothing. */
export async function statementsOf(migration: DeclaredMigration): Promise<string[]> {
  const statements: string[] = [];
  const runner = {
    isTransactionActive: migration.transaction !== false,
    query: async (sql: string) => {
      statements.push(sql);
      return [];
    },
  };
  await migration.up(runner as unknown as QueryRunner);
  return statements;
}

/** All that is wrong with the migrations since a release, by their names. */
export async function problemsSince(
  released: readonly string[],
  migrations: readonly MigrationClass[],
): Promise<string[]> {
  const since = migrations.filter(({ name }) => !released.includes(name));
  const made = await Promise.all(
    since.map(async (Migration) => ({
      name: Migration.name,
      statements: await statementsOf(new Migration() as DeclaredMigration),
    })),
  );
  const newTables = new Set(
    made.flatMap(({ statements }) =>
      statements.flatMap((sql) => [...sql.matchAll(createTable)].map(({ groups }) => groups!['table']!)),
    ),
  );
  return made.flatMap(({ name, statements }) =>
    migrationProblems(statements, newTables).map((problem) => `${name}: ${problem}`),
  );
}

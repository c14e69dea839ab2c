import type { QueryRunner } from 'typeorm';

const documentTarget = 0;
/** In Postgres' unit of 300 rows, of which it looks at a hundred by itself. */
const logTarget = 20;

export interface SampledColumns {
  /** No condition names them: they cannot help a plan. */
  readonly never?: readonly string[];
  /** Of a table whose plans do not depend on what is in it; all other columns of it, for the widest sample counts. */
  readonly little?: readonly string[];
}

/**
 * What ANALYZE looks at in a table that grows with every run. Left to itself it reads 30,000 rows of it whenever a tenth is
 * new, every minute under load, and sorts and compares every document among them: 1.8 s of a core for 70,000 runs and 4.5 s
 * for 360,000, of which a half to two thirds are for what no plan is made by. Holds up nobody meanwhile.
 */
export async function sampleColumns(
  runner: QueryRunner,
  table: string,
  { never = [], little = [] }: SampledColumns,
): Promise<void> {
  await setTargets(runner, table, [
    ...never.map((column) => [column, documentTarget] as const),
    ...little.map((column) => [column, logTarget] as const),
  ]);
}

/** As Postgres does it by itself. */
export async function sampleAsUsual(
  runner: QueryRunner,
  table: string,
  { never = [], little = [] }: SampledColumns,
): Promise<void> {
  await setTargets(
    runner,
    table,
    [...never, ...little].map((column) => [column, -1] as const),
  );
}

async function setTargets(
  runner: QueryRunner,
  table: string,
  targets: readonly (readonly [column: string, target: number])[],
): Promise<void> {
  const changes = targets.map(([column, target]) => `ALTER COLUMN ${column} SET STATISTICS ${target}`);
  await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
}

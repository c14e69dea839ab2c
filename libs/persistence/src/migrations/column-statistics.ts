import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In Postgres' unit of 300 rows, of which it looks at a hundred by itself. */
const targets = { never: 0, little: 20, asUsual: -1 };

export interface SampledColumns {
  /** No condition names them: they cannot help a plan. */
  readonly never: readonly string[];
  /** Of a table whose plans do not depend on what is in it; all other columns of it, for the widest sample counts. */
  readonly little?: readonly string[];
}

/**
 * Says what ANALYZE looks at in tables that grow with every run. Left to itself it reads 30,000 rows of each whenever a
 * tenth is new, every minute under load, and sorts and compares every document among them: 1.8 s of a core for 70,000 runs
 * and 4.5 s for 360,000, of which a half to two thirds are for what no plan is made by. Holds up nobody meanwhile.
 */
export abstract class ColumnStatistics implements MigrationInterface {
  protected abstract readonly tables: Readonly<Record<string, SampledColumns>>;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, { never, little = [] }] of Object.entries(this.tables)) {
      await sample(runner, table, [...to(targets.never, never), ...to(targets.little, little)]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, { never, little = [] }] of Object.entries(this.tables)) {
      await sample(runner, table, to(targets.asUsual, [...never, ...little]));
    }
  }
}

function to(target: number, columns: readonly string[]): string[] {
  return columns.map((column) => `ALTER COLUMN ${column} SET STATISTICS ${target}`);
}

async function sample(runner: QueryRunner, table: string, changes: readonly string[]): Promise<void> {
  await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
}

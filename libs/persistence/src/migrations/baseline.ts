import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from '../data-source.js';

const created = /^\s*CREATE (TABLE|FUNCTION) (\w+)/;

/** Creates the tables of version 1.0 by these statements, in their order. */
export function baselineOf(statements: readonly string[]): MigrationClass {
  return class Baseline1795000000000 implements MigrationInterface {
    readonly name = 'Baseline1795000000000';

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const statement of statements.toReversed()) {
        const [, kind, name] = created.exec(statement) ?? [];
        if (name) await runner.query(`DROP ${kind} ${name}`);
      }
    }
  };
}

import { createIndexConcurrently } from '@aos/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apart from the column, whose lock would hold up starts while runs are counted. */
export class RunCounters1760000009820 implements MigrationInterface {
  readonly name = 'RunCounters1760000009820';

  async up(runner: QueryRunner): Promise<void> {
    // A row is written with each batch of starts: with room beside it no index is.
    await runner.query(`
      CREATE TABLE run_counter (
        agent_id uuid PRIMARY KEY,
        last integer NOT NULL,
        former integer NOT NULL DEFAULT 0,
        former_given integer NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      INSERT INTO run_counter (agent_id, last, former) SELECT agent_id, count(*), count(*) FROM run GROUP BY agent_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE run_counter');
  }
}

export class RunNumbers1760000009830 implements MigrationInterface {
  readonly name = 'RunNumbers1760000009830';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run ADD COLUMN run_number integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run DROP COLUMN run_number');
  }
}

/** Leads to the runs that have no number yet, and is empty once all have one. */
export class UnnumberedRuns1760000009840 implements MigrationInterface {
  readonly name = 'UnnumberedRuns1760000009840';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, {
      name: 'run_unnumbered',
      table: 'run',
      definition: '(agent_id, id) WHERE run_number IS NULL',
    });
  }

  /** TypeORM undoes in a transaction, also what was made without one. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_unnumbered');
  }
}

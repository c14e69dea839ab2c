import { createIndexConcurrently } from '@aos/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeletedRuns1760000009700 implements MigrationInterface {
  readonly name = 'DeletedRuns1760000009700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deleted_run (
        run_id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        deleted_at timestamptz(3) NOT NULL,
        due_at timestamptz(3),
        after_position bigint NOT NULL
      )`);
    await runner.query('CREATE INDEX deleted_run_due ON deleted_run (due_at) WHERE due_at IS NOT NULL');
    await runner.query('CREATE INDEX deleted_run_age ON deleted_run (deleted_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deleted_run');
  }
}

/** Over the text: it finds the events that were stored before, too. */
export class EventsOfRuns1760000009710 implements MigrationInterface {
  readonly name = 'EventsOfRuns1760000009710';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, {
      name: 'feed_event_run',
      table: 'feed_event',
      definition: `((body::json #>> '{data,run_id}'), position)`,
    });
  }

  /** TypeORM undoes in a transaction, also what was made without one. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX feed_event_run');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `position` also named the place of an event in a log; a run's is how far the model's script has got. */
export class ScriptPosition1760000005200 implements MigrationInterface {
  readonly name = 'ScriptPosition1760000005200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run RENAME COLUMN position TO script_position');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run RENAME COLUMN script_position TO position');
  }
}

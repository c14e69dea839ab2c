import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CaseLabels1760000007120 implements MigrationInterface {
  readonly name = 'CaseLabels1760000007120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE case_label (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        queue_id uuid NOT NULL,
        key text NOT NULL,
        value text NOT NULL,
        hue smallint NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE UNIQUE INDEX case_label_name ON case_label (queue_id, key, value)');
    await runner.query(`
      CREATE TABLE case_label_link (
        case_id uuid NOT NULL,
        label_id uuid NOT NULL,
        PRIMARY KEY (case_id, label_id)
      )`);
    await runner.query('CREATE INDEX case_label_link_label ON case_label_link (label_id, case_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE case_label_link, case_label');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tells a log that went on from one that was restored from a backup; runs after a service's first tables. */
export class EventEpochs1760000005000 implements MigrationInterface {
  readonly name = 'EventEpochs1760000005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox_head ADD epoch uuid`);
    await runner.query(`
      CREATE TABLE outbox_epoch (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        epoch uuid NOT NULL,
        after bigint NOT NULL
      )`);
    await runner.query(`
      ALTER TABLE event_position
        ADD epoch uuid, ADD epoch_position bigint, ADD started_over_at timestamptz(3)`);
    await runner.query(`
      CREATE TABLE event_epoch (source text NOT NULL, epoch uuid NOT NULL, PRIMARY KEY (source, epoch))`);
    await runner.query(`
      CREATE TABLE handled_event_batch (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        source text NOT NULL,
        ids uuid[] NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE handled_event_batch, event_epoch, outbox_epoch`);
    await runner.query(`
      ALTER TABLE event_position DROP epoch, DROP epoch_position, DROP started_over_at`);
    await runner.query(`ALTER TABLE outbox_head DROP epoch`);
  }
}

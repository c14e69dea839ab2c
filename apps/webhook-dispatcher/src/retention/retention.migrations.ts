import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['delivery', 'feed_event'];

/**
 * A block range index finds old rows as long as rows lie in the order of time. Updates move deliveries, and what is
 * removed makes room for new rows among old ones: after a while every range holds something old.
 */
export class AgeIndexes1760000004300 implements MigrationInterface {
  readonly name = 'AgeIndexes1760000004300';

  async up(runner: QueryRunner): Promise<void> {
    await this.replace(runner, 'btree');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.replace(runner, 'brin');
  }

  private async replace(runner: QueryRunner, kind: string): Promise<void> {
    for (const table of tables) {
      await runner.query(`DROP INDEX ${table}_age`);
      await runner.query(`CREATE INDEX ${table}_age ON ${table} USING ${kind} (created_at)`);
    }
  }
}

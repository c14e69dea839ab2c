import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sampleAsUsual, sampleColumns, type SampledColumns } from './column-statistics.js';

/** The log is read by its keys alone. */
const sampled: Readonly<Record<string, SampledColumns>> = {
  outbox_batch: { little: ['id', 'size', 'after', 'created_at'] },
  logged_event: {
    never: ['data', 'meta'],
    little: ['batch_id', 'place', 'id', 'event', 'team_id', 'run_id', 'run_seq', 'created_at'],
  },
  handled_event_batch: { never: ['ids'], little: ['seq', 'source', 'created_at'] },
};

export class LogStatistics1760000009500 implements MigrationInterface {
  readonly name = 'LogStatistics1760000009500';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(sampled)) await sampleColumns(runner, table, columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(sampled)) await sampleAsUsual(runner, table, columns);
  }
}

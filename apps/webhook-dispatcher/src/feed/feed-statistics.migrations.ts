import { sampleAsUsual, sampleColumns } from '@aos/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The feed is read by team and position, by way of its indexes whatever is in it. */
const sampled = {
  never: ['body', 'traceparent'],
  little: ['team_id', 'position', 'id', 'event', 'created_at'],
};

export class FeedStatistics1760000009520 implements MigrationInterface {
  readonly name = 'FeedStatistics1760000009520';

  up(runner: QueryRunner): Promise<void> {
    return sampleColumns(runner, 'feed_event', sampled);
  }

  down(runner: QueryRunner): Promise<void> {
    return sampleAsUsual(runner, 'feed_event', sampled);
  }
}

import { ColumnStatistics } from '@aos/persistence';

/** The feed is read by team and position, by way of its indexes whatever is in it. */
export class FeedStatistics1760000009520 extends ColumnStatistics {
  readonly name = 'FeedStatistics1760000009520';

  protected readonly tables = {
    feed_event: {
      never: ['body', 'traceparent'],
      little: ['team_id', 'position', 'id', 'event', 'created_at'],
    },
  };
}

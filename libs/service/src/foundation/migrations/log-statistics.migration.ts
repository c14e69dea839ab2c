import { ColumnStatistics } from '@aos/persistence';

/** The log is read by its keys alone. */
export class LogStatistics1760000009500 extends ColumnStatistics {
  readonly name = 'LogStatistics1760000009500';

  protected readonly tables = {
    outbox_batch: { never: [], little: ['id', 'size', 'after', 'created_at'] },
    logged_event: {
      never: ['data', 'meta'],
      little: ['batch_id', 'place', 'id', 'event', 'team_id', 'run_id', 'run_seq', 'created_at'],
    },
    handled_event_batch: { never: ['ids'], little: ['seq', 'source', 'created_at'] },
  };
}

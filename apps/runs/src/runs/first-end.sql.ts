import type { RunError, RunStatus } from '@aos/contracts';
import { runEvents } from '../run-core/records/run-records.sql.js';

export interface FirstEnd {
  readonly status: RunStatus;
  readonly result: string | null;
  readonly error: RunError | null;
  /** ISO 8601, as Postgres writes it. */
  readonly ended_at: string;
}

/**
 * How a run ended before a message reopened it. Its row has forgotten that; the events of a run are kept as long as the
 * run. By hand, so that it is read with the run in one statement, and only of runs that were reopened.
 */
export const firstEnd = `CASE WHEN run.reopened > 0 THEN (
    SELECT jsonb_build_object('status', ended.data -> 'status', 'result', ended.data -> 'result',
                              'error', ended.data -> 'error', 'ended_at', ended.created_at)
      FROM ${runEvents} AS ended
     WHERE ended.run_id = run.id AND ended.event IN ('run.completed', 'run.failed')
     ORDER BY ended.seq LIMIT 1) END AS first_end`;

import type { Logger, Metrics } from '@aos/platform';
import type { Transactions } from '../transactions/transactions.js';
import { replicationState } from './connections.sql.js';

export interface ReplicationState {
  readonly standbys: number;
  readonly names_synchronous: boolean;
  readonly synchronous_commit: string;
}

/** Settings with which a commit does not wait for a standby, or not even for the disk. */
const waitsForNone = ['off', 'local'];
const readEveryMs = 60_000;

/** Whether a failover may lose commits that were answered: there are standbys, and a commit waits for none. */
export function mayLoseCommits({
  standbys,
  names_synchronous,
  synchronous_commit,
}: ReplicationState): boolean {
  return standbys > 0 && (!names_synchronous || waitsForNone.includes(synchronous_commit));
}

/** Warns, once at the start and by a metric, where a failover of Postgres may lose commits. */
export class ReplicationWatch {
  constructor(
    private readonly transactions: Transactions,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge({
      name: 'aos_postgres_replicates_asynchronously',
      help: 'Whether Postgres has standbys for which commits do not wait, so that a failover may lose them',
      maxAgeMs: readEveryMs,
      // Without the database the last value stays.
      collect: (gauge) =>
        this.read().then(
          (isAsynchronous) => gauge.set(isAsynchronous ? 1 : 0),
          () => undefined,
        ),
    });
  }

  async warn(): Promise<void> {
    const isAsynchronous = await this.read().catch(() => false);
    if (isAsynchronous)
      this.logger.warn(
        'Postgres replicates asynchronously: a failover may lose runs, events and notes of tool calls; set synchronous_standby_names',
      );
  }

  private async read(): Promise<boolean> {
    const [state] = await this.transactions.query<ReplicationState>(replicationState);
    return mayLoseCommits(state!);
  }
}

import type { LogEpoch } from '@aos/contracts';
import { newId, type PreparedStatements, type Transactions } from '@aos/persistence';
import { addEpoch, forgetOldEpochs, listEpochs, lockHead, setEpoch } from './outbox.sql.js';

/**
 * The stretches of a log. A new one begins whenever the log may have been replaced by an older state of itself: a
 * consumer that knows the epochs of the replaced one sees which of its positions are still true.
 */
export class OutboxEpochs {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** Begins an epoch behind what has been numbered. The head's row is the lock, as for numbering. */
  async begin(): Promise<void> {
    const epoch = newId();
    await this.statements.writeTogether([
      { sql: lockHead, parameters: [] },
      { sql: addEpoch, parameters: [epoch] },
      { sql: forgetOldEpochs, parameters: [] },
      { sql: setEpoch, parameters: [epoch] },
    ]);
  }

  /** Oldest first. */
  async list(): Promise<LogEpoch[]> {
    const rows = await this.transactions.query<{ epoch: string; after: string }>(listEpochs);
    return rows.map(({ epoch, after }) => ({ epoch, after: Number(after) }));
  }
}

import type { LogEpoch } from '@aos/contracts';
import { newId } from '../new-id.js';
import type { Transactions } from '../transactions/transactions.js';

/** A consumer that was away for more starts of the owner than these still goes on, unless the log has gone back. */
const keptEpochs = 1_000;

/**
 * The stretches of a log. A new one begins whenever the log may have been replaced by an older state of itself: a
 * consumer that knows the epochs of the replaced one sees which of its positions are still true.
 */
export class OutboxEpochs {
  constructor(private readonly transactions: Transactions) {}

  /** Begins an epoch behind what has been numbered. The head's row is the lock, as for numbering. */
  async begin(): Promise<void> {
    const epoch = newId();
    await this.transactions.script(
      `SELECT 1 FROM outbox_head WHERE id = 1 FOR UPDATE;
       INSERT INTO outbox_epoch (epoch, after) SELECT '${epoch}', position FROM outbox_head WHERE id = 1;
       DELETE FROM outbox_epoch WHERE id IN (SELECT id FROM outbox_epoch ORDER BY id DESC OFFSET ${keptEpochs});
       UPDATE outbox_head SET epoch = '${epoch}' WHERE id = 1`,
    );
  }

  /** Oldest first. */
  async list(): Promise<LogEpoch[]> {
    const rows = await this.transactions.query<{ epoch: string; after: string }>(
      'SELECT epoch, after FROM outbox_epoch ORDER BY id',
    );
    return rows.map(({ epoch, after }) => ({ epoch, after: Number(after) }));
  }
}

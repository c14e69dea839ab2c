import { Statements } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { HeldLane } from '../endpoint-queues/lanes.repository.js';
import { settleDeliveries } from './settle-deliveries.sql.js';

/** Ends deliveries that are not to be sent. */
@Injectable()
export class DeliveryEnds {
  constructor(@Inject(Statements) private readonly statements: Statements) {}

  /** A batch of those that are pending on a lane; how many it were. Without the lease it is none. */
  async settle({ id, token }: HeldLane, status: 'skipped' | 'dropped', limit: number): Promise<number> {
    const [row] = await this.statements.write<{ count: string }>(settleDeliveries, [
      id,
      token,
      status,
      limit,
    ]);
    return Number(row!.count);
  }
}

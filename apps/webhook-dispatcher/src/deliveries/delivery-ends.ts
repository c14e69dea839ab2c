import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { LeasedQueue } from '../endpoint-queues/endpoint-queues.repository.js';
import { settleDeliveries } from './settle-deliveries.sql.js';

/** Ends deliveries that are not to be sent. */
@Injectable()
export class DeliveryEnds {
  constructor(private readonly statements: PreparedStatements) {}

  /** A batch of those that are pending on a queue; how many it were. Without the lease it is none. */
  async settle({ id, token }: LeasedQueue, status: 'skipped' | 'dropped', limit: number): Promise<number> {
    const [row] = await this.statements.write<{ count: string }>(settleDeliveries, [
      id,
      token,
      status,
      limit,
    ]);
    return Number(row!.count);
  }
}

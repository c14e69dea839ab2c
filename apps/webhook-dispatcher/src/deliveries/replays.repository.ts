import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { DeliveryReplayEntity } from './delivery.entities.js';
import { nextReplay, renewSomeDeliveries } from './replays.sql.js';

export type WantedReplay = Pick<
  DeliveryReplayEntity,
  'team_id' | 'target_id' | 'since' | 'until' | 'only_dead'
>;

/** Ids of events begin with the time when they were made; that of the event itself may be a moment off. */
const idSlackMs = 60_000;

@Injectable()
export class ReplaysRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert({ team_id, target_id, since, until, only_dead }: WantedReplay): Promise<string> {
    const id = newId();
    await this.rows.insert({ id, team_id, target_id, since, until, only_dead });
    return id;
  }

  /** The one after the given one that no other process carries out, in turns, locked until the transaction ends. */
  async next(after: string, except: readonly string[]): Promise<DeliveryReplayEntity | undefined> {
    const [row] = await this.transactions.query<DeliveryReplayEntity>(nextReplay, [after, except]);
    return row;
  }

  /**
   * Renews the next deliveries of a replay; the id of the last one looked at, undefined if that were all. Those that
   * are pending are not locked: the writer of outcomes locks them in another order.
   */
  async renewSome(replay: DeliveryReplayEntity, limit: number): Promise<string | undefined> {
    const { target_id, since, until, only_dead, after_event_id } = replay;
    const [row] = await this.transactions.query<{ last: string | null; looked_at: string }>(
      renewSomeDeliveries,
      [
        target_id,
        after_event_id,
        firstIdAt(since.getTime() - idSlackMs),
        firstIdAt(until.getTime() + idSlackMs),
        since,
        until,
        only_dead,
        limit,
      ],
    );
    return Number(row!.looked_at) < limit ? undefined : row!.last!;
  }

  async moveTo(id: string, afterEventId: string): Promise<void> {
    await this.rows.update({ id }, { after_event_id: afterEventId });
  }

  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  private get rows(): Repository<DeliveryReplayEntity> {
    return this.transactions.repository(DeliveryReplayEntity);
  }
}

/** The least id that an event of this moment can have. */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

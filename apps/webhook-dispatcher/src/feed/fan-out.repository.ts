import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { WokenQueue } from '../endpoint-queues/endpoint-queues.repository.js';
import {
  catchUpHead,
  endFanOut,
  lockHead,
  makeDeliveries,
  measureFanOut,
  moveFanOut,
  nextTeam,
} from './fan-out.sql.js';

/** A team whose deliveries to webhooks are made up to a position of its feed. */
export interface FanOutCursor {
  readonly team_id: string;
  readonly position: string;
}

/** How far one statement goes: events that are looked at, deliveries that are made. */
export interface FanOutLimits {
  readonly events: number;
  readonly deliveries: number;
}

/** How far the deliveries of teams with many webhooks are made. */
@Injectable()
export class FanOutRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The team that has waited longest and that no other process serves, locked until the transaction ends. */
  async next(except: readonly string[]): Promise<FanOutCursor | undefined> {
    const [row] = await this.transactions.query<FanOutCursor>(nextTeam, [except]);
    return row;
  }

  /** The position to go to; undefined if there is nothing after the cursor. */
  async measure(
    { team_id, position }: FanOutCursor,
    { events, deliveries }: FanOutLimits,
  ): Promise<string | undefined> {
    const [row] = await this.transactions.query<{ position: string | null }>(measureFanOut, [
      team_id,
      position,
      events,
      deliveries,
    ]);
    return row!.position ?? undefined;
  }

  make({ team_id, position }: FanOutCursor, to: string): Promise<WokenQueue[]> {
    return this.transactions.query<WokenQueue>(makeDeliveries, [team_id, position, to]);
  }

  /** Behind all others who wait. */
  async moveTo(teamId: string, position: string): Promise<void> {
    await this.transactions.query(moveFanOut, [teamId, position]);
  }

  /** Inside a transaction; false if something came meanwhile. Locks in the order in which events come in. */
  async finish(teamId: string): Promise<boolean> {
    const [head] = await this.transactions.query<{ position: string }>(lockHead, [teamId]);
    const gone = await this.transactions.query(endFanOut, [teamId, head?.position]);
    if (gone.length === 0) return false;
    await this.transactions.query(catchUpHead, [teamId]);
    return true;
  }
}

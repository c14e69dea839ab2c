import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { LaneDispatch } from './lane-dispatch.js';
import { LanesRepository, type LaneOwner } from './lanes.repository.js';

/** Tells of changes on a lane, within the transaction that makes them. */
@Injectable()
export class LaneWakes {
  constructor(
    @Inject(LanesRepository) private readonly lanes: LanesRepository,
    @Inject(LaneDispatch) private readonly dispatch: LaneDispatch,
    @Inject(Transactions) private readonly transactions: Transactions,
  ) {}

  async wake(owner: LaneOwner): Promise<void> {
    const woken = await this.lanes.wake(owner);
    this.transactions.afterCommit(() => this.dispatch.wake(woken));
  }

  /** A webhook has a lane of its own, of its own id. */
  wakeWebhook(teamId: string, id: string): Promise<void> {
    return this.wake({ laneId: id, teamId, subscriptionId: id });
  }
}

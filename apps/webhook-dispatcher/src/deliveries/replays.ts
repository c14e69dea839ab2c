import { BackgroundLoops, Transactions, type WakeableLoop } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { LaneWakes } from '../sending/lane-wakes.js';
import { ReplaysRepository, type WantedReplay } from './replays.repository.js';

const batchSize = 500;
const lookEveryMs = 2_000;

/** Sends the events of a time again: the wish is stored, and carried out in batches that each commit. */
@Injectable()
export class Replays {
  private readonly replaying: WakeableLoop;

  constructor(
    @Inject(ReplaysRepository) private readonly replays: ReplaysRepository,
    @Inject(LaneWakes) private readonly lanes: LaneWakes,
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
  ) {
    this.replaying = loops.add({
      name: 'the replay of webhooks',
      idleMs: lookEveryMs,
      work: () => this.carryOn(),
    });
  }

  /** Inside a transaction. */
  async begin(wanted: WantedReplay): Promise<string> {
    const id = await this.replays.insert(wanted);
    this.transactions.afterCommit(() => this.replaying.wake());
    return id;
  }

  private carryOn(): Promise<boolean> {
    return this.transactions.run(async () => {
      const replay = await this.replays.next();
      if (!replay) return false;
      // First, as where events come in: whoever locks in another order stands in their way.
      await this.lanes.wakeWebhook(replay.team_id, replay.target_id);
      const last = await this.replays.renewSome(replay, batchSize);
      if (last === undefined) await this.replays.delete(replay.id);
      else await this.replays.moveTo(replay.id, last);
      return true;
    });
  }
}

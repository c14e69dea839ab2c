import { BackgroundLoops, CoolDown, type WakeableLoop } from '@aos/background';
import { DueRows, isStoreUnavailable, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { QueueWakes } from '../endpoint-queues/queue-wakes.js';
import type { DeliveryReplayEntity } from './delivery.entities.js';
import { ReplaysRepository, type WantedReplay } from './replays.repository.js';
import { anyReplay } from './replays.sql.js';

const batchSize = 500;
const lookEveryMs = 2_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Sends the events of a time again: the wish is stored, and carried out in batches that each commit. */
@Injectable()
export class Replays {
  private readonly replaying: WakeableLoop;
  private readonly resting = new CoolDown();
  private last = firstId;

  constructor(
    private readonly replays: ReplaysRepository,
    private readonly queues: QueueWakes,
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
    dueRows: DueRows,
    private readonly logger: Logger,
  ) {
    this.replaying = loops.add({
      name: 'the replay of webhooks',
      idleMs: lookEveryMs,
      mayHaveWork: () => dueRows.any(anyReplay),
      work: () => this.carryOn(),
    });
  }

  /** Inside a transaction. */
  async begin(wanted: WantedReplay): Promise<string> {
    const id = await this.replays.insert(wanted);
    this.transactions.afterCommit(() => this.replaying.wake());
    return id;
  }

  /** A batch of one after the other: neither a long one nor one that fails holds up those of other teams. */
  private async carryOn(): Promise<boolean> {
    let replay: DeliveryReplayEntity | undefined;
    try {
      await this.transactions.run(async () => {
        replay = await this.replays.next(this.last, this.resting.active());
        if (replay) await this.carryOut(replay);
      });
    } catch (error) {
      if (!replay || isStoreUnavailable(error)) throw error;
      this.logger.error(
        { err: error, replay_id: replay.id },
        'replaying events failed; other replays continue',
      );
      this.resting.add(replay.id);
    }
    if (replay) this.last = replay.id;
    return replay !== undefined;
  }

  private async carryOut(replay: DeliveryReplayEntity): Promise<void> {
    // First, as where events come in: another order of locks would stand in their way.
    await this.queues.wakeWebhook(replay.team_id, replay.target_id);
    const last = await this.replays.renewSome(replay, batchSize);
    if (last === undefined) await this.replays.delete(replay.id);
    else await this.replays.moveTo(replay.id, last);
  }
}

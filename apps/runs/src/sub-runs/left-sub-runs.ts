import { runProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { BackgroundLoops, FailingItems, type WakeableLoop } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunStops } from '../run-stops/run-stops.js';
import { SubRunsRepository } from './sub-runs.repository.js';

const lookEveryMs = 5_000;
const batchSize = 100;

/** Runs whose parent has failed: nobody wants their answer any more, so they are stopped. */
@Injectable()
export class LeftSubRuns implements OnApplicationBootstrap {
  private readonly stopping: WakeableLoop;
  private readonly failing: FailingItems;

  constructor(
    @Inject(SubRunsRepository) private readonly subRuns: SubRunsRepository,
    @Inject(RunStops) private readonly stops: RunStops,
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
    @Inject(Logger) logger: Logger,
  ) {
    this.failing = new FailingItems(logger, 'the stop of a sub-run');
    this.stopping = loops.add({
      name: 'the end of sub-runs whose parent has failed',
      idleMs: lookEveryMs,
      gatherMs: 100,
      work: () => this.stopSome(),
    });
  }

  onApplicationBootstrap(): void {
    this.broadcasts.listen(runProgress, ({ status }) => {
      if (status === 'failed') this.stopping.wake();
    });
  }

  private async stopSome(): Promise<boolean> {
    const left = await this.subRuns.left(batchSize, this.failing.ids());
    await this.failing.each(left, ({ id, team_id: teamId }) =>
      this.transactions.run(() => this.stops.stop(teamId, id, 'parent_failed')),
    );
    return left.length === batchSize;
  }
}

import { agentDeleted, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/messaging';
import { BackgroundLoops, FailingItems, type WakeableLoop } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunStops } from '../run-stops/run-stops.js';
import { DeletedAgentsRepository } from './deleted-agents.repository.js';

const lookEveryMs = 3_000;
const batchSize = 100;

/** Of a deleted agent no run starts, and those that are open are stopped. */
@Injectable()
export class DeletedAgentsEvents {
  private readonly stopping: WakeableLoop;
  private readonly failing: FailingItems;

  constructor(
    @Inject(DeletedAgentsRepository) private readonly agents: DeletedAgentsRepository,
    @Inject(RunStops) private readonly stops: RunStops,
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
    @Inject(Logger) logger: Logger,
  ) {
    this.failing = new FailingItems(logger, 'the stop of a run whose agent was deleted');
    this.stopping = loops.add({
      name: 'the end of runs of deleted agents',
      idleMs: lookEveryMs,
      work: () => this.stopSome(),
    });
  }

  @Consumes(agentDeleted)
  async agentsDeleted(events: readonly TypedBusEvent<typeof agentDeleted>[]): Promise<void> {
    const gone = events.map(({ data, meta }) => ({ agent_id: data.agent_id, team_id: meta.team_id! }));
    await this.agents.add(gone);
    this.transactions.afterCommit(() => this.stopping.wake());
  }

  private async stopSome(): Promise<boolean> {
    const runs = await this.agents.openRuns(batchSize, this.failing.ids());
    await this.failing.each(runs, ({ id, team_id: teamId }) =>
      this.transactions.run(() => this.stops.stop(teamId, id, 'agent_deleted')),
    );
    return runs.length === batchSize;
  }
}

import { agentDeleted, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/messaging';
import { BackgroundLoops, Transactions, type WakeableLoop } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { RunStops } from '../runs/run-stops.js';
import { DeletedAgentsRepository } from './deleted-agents.repository.js';

const lookEveryMs = 3_000;
const batchSize = 100;

/** Of a deleted agent no run starts, and those that are open are stopped. */
@Injectable()
export class DeletedAgentsEvents {
  private readonly stopping: WakeableLoop;

  constructor(
    @Inject(DeletedAgentsRepository) private readonly agents: DeletedAgentsRepository,
    @Inject(RunStops) private readonly stops: RunStops,
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
  ) {
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
    const runs = await this.agents.openRuns(batchSize);
    for (const { id, team_id: teamId } of runs) {
      await this.transactions.run(() => this.stops.stop(teamId, id, 'agent_deleted'));
    }
    return runs.length === batchSize;
  }
}

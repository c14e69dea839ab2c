import { agentDeleted, teamOf, type TypedBusEvent } from '@aos/contracts';
import type { WakeableLoop } from '@aos/background';
import { Consumes } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { StopSweeps } from '../run-stops/stop-sweeps.js';
import { DeletedAgentsRepository } from './deleted-agents.repository.js';

const lookEveryMs = 3_000;

/** Of a deleted agent no run starts, and those that are open are stopped. */
@Injectable()
export class DeletedAgentsEvents {
  private readonly stopping: WakeableLoop;

  constructor(
    private readonly agents: DeletedAgentsRepository,
    sweeps: StopSweeps,
    private readonly transactions: Transactions,
  ) {
    this.stopping = sweeps.add({
      name: 'the end of runs of deleted agents',
      what: 'the stop of a run whose agent was deleted',
      idleMs: lookEveryMs,
      reason: 'agent_deleted',
      find: (limit, except) => agents.openRuns(limit, except),
    });
  }

  @Consumes(agentDeleted)
  async agentsDeleted(events: readonly TypedBusEvent<typeof agentDeleted>[]): Promise<void> {
    const gone = events.map(({ data, meta }) => ({ agent_id: data.agent_id, team_id: teamOf(meta) }));
    await this.agents.add(gone);
    this.transactions.afterCommit(() => this.stopping.wake());
  }
}

import { takeRuns } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { RunSlots, type RunSlot } from './run-slots.js';

/** A run that a worker shall take. */
export interface RunToDo {
  readonly runId: string;
  readonly teamId: string;
  readonly delayMs?: number;
}

/** Within this time one wake-up job serves all runs of a team. */
const togetherMs = 50;

/**
 * Gives runs to workers: to this process while it has room, since the process that stores a run can begin it soonest and
 * cheapest; else a job wakes some replica, which takes the team's oldest.
 */
@Injectable()
export class RunDispatch {
  /** Teams for which a wake-up job was added a moment ago, and whether there was more since. */
  private readonly woken = new Map<string, boolean>();

  constructor(
    private readonly slots: RunSlots,
    private readonly queues: JobQueues,
    private readonly logger: Logger,
  ) {}

  /** A slot of this process; undefined while it, or the team, has enough to do. */
  reserve(teamId: string): RunSlot | undefined {
    return this.slots.reserve(teamId);
  }

  /** Does not wait: what is lost on the way, here or in Redis, is found by the reconciler. */
  add(runs: readonly RunToDo[]): void {
    const left = runs.filter((run) => run.delayMs !== undefined || !this.beginHere(run));
    const later = left.filter(({ delayMs }) => delayMs !== undefined);
    if (later.length > 0) this.queue(later);
    for (const teamId of new Set(left.filter((run) => !later.includes(run)).map((run) => run.teamId))) {
      this.wake(teamId);
    }
  }

  /** Wakes a replica to take runs of the team now. */
  wake(teamId: string): void {
    if (this.woken.has(teamId)) {
      this.woken.set(teamId, true);
      return;
    }
    this.woken.set(teamId, false);
    this.queue([{ teamId }]);
    setTimeout(() => {
      const more = this.woken.get(teamId);
      this.woken.delete(teamId);
      if (more) this.wake(teamId);
    }, togetherMs).unref();
  }

  private queue(wakes: readonly Pick<RunToDo, 'teamId' | 'delayMs'>[]): void {
    const jobs = wakes.map(({ teamId, delayMs }) => ({ payload: { team_id: teamId }, delayMs }));
    this.queues.add(takeRuns, ...jobs).catch((error: unknown) => {
      this.logger.warn({ err: error, runs: jobs.length }, 'enqueue failed; the reconciler will retry');
    });
  }

  private beginHere({ runId, teamId }: RunToDo): boolean {
    const slot = this.reserve(teamId);
    slot?.claim(runId);
    return slot !== undefined;
  }
}

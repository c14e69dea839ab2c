import { executeRun } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedRun } from './run-claims.js';

/** A run that a worker shall take. */
export interface RunToDo {
  readonly runId: string;
  /** How often it was given out; makes the id of its job. */
  readonly dispatches: number;
  readonly delayMs?: number;
}

/** A job's id is used again only for the same dispatch, so that adding it twice is adding it once. */
export function jobIdOf({ runId, dispatches }: RunToDo): string {
  return `${runId}-${dispatches}`;
}

/** A free place among the workers of this process. */
export interface WorkPlace {
  /** Begins a run that was stored as taken. */
  begin(run: ClaimedRun): void;
  /** Claims a run and begins it. */
  claim(runId: string): void;
  /** Nothing came of it. */
  release(): void;
}

/**
 * Gives runs to workers: to those of this process while they have room, since whoever stores a run can begin it
 * soonest and cheapest; else to the queue, where any replica takes it.
 */
@Injectable()
export class RunDispatch {
  /** A place in this process; undefined while it has enough to do. */
  reserve: () => WorkPlace | undefined = () => undefined;

  constructor(
    @Inject(JobQueues) private readonly queues: JobQueues,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  /** Does not wait: what is lost on the way, here or in Redis, is found by the reconciler. */
  add(runs: readonly RunToDo[]): void {
    const left = runs.filter((run) => run.delayMs !== undefined || !this.beginHere(run.runId));
    if (left.length === 0) return;
    this.queue(left).catch((error: unknown) => {
      this.logger.warn({ err: error, runs: left.length }, 'runs got no job yet');
    });
  }

  async queue(runs: readonly RunToDo[]): Promise<void> {
    await this.queues.add(
      executeRun,
      ...runs.map((run) => ({
        payload: { run_id: run.runId },
        jobId: jobIdOf(run),
        delayMs: run.delayMs,
      })),
    );
  }

  private beginHere(runId: string): boolean {
    const place = this.reserve();
    place?.claim(runId);
    return place !== undefined;
  }
}

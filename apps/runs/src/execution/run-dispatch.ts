import { executeRun } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';

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

/** Puts runs into the workers' queue. */
@Injectable()
export class RunDispatch {
  constructor(
    @Inject(JobQueues) private readonly queues: JobQueues,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  /** Does not wait for Redis: what does not arrive there is found by the reconciler. */
  add(runs: readonly RunToDo[]): void {
    if (runs.length === 0) return;
    this.addNow(runs).catch((error: unknown) => {
      this.logger.warn({ err: error, runs: runs.length }, 'runs got no job yet');
    });
  }

  async addNow(runs: readonly RunToDo[]): Promise<void> {
    await this.queues.add(
      executeRun,
      ...runs.map((run) => ({
        payload: { run_id: run.runId },
        jobId: jobIdOf(run),
        delayMs: run.delayMs,
      })),
    );
  }
}

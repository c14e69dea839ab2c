import { executeRun } from '@aos/contracts';
import { isStoreUnavailable } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunDispatch } from './run-dispatch.js';
import { RunExecution } from './run-execution.js';

/** Runs that this process has begun without the way over the queue; as many at a time as a worker of jobs has. */
@Injectable()
export class RunsHere implements OnApplicationBootstrap {
  private readonly underWay = new Set<Promise<void>>();
  private readonly ending = new AbortController();

  constructor(
    @Inject(RunExecution) private readonly execution: RunExecution,
    @Inject(RunDispatch) private readonly dispatch: RunDispatch,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.dispatch.useWorkersHere((runId) => this.take(runId));
    this.shutdown.add('drain', 'runs begun here', async () => {
      this.ending.abort();
      await Promise.all(this.underWay);
    });
  }

  private take(runId: string): boolean {
    if (this.ending.signal.aborted || this.underWay.size >= executeRun.concurrency) return false;
    const work = this.execute(runId, this.ending.signal).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
    return true;
  }

  /** What cannot be begun is left to the reconciler. */
  async execute(runId: string, ending: AbortSignal): Promise<void> {
    try {
      await this.execution.execute(runId, ending);
    } catch (error) {
      const level = isStoreUnavailable(error) ? 'warn' : 'error';
      this.logger[level]({ err: error, run_id: runId }, 'a run could not be taken');
    }
  }
}

import { executeRun } from '@aos/contracts';
import { isStoreUnavailable } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunDispatch, type WorkPlace } from './run-dispatch.js';
import { RunExecution } from './run-execution.js';

/** Runs that this process begins without the way over the queue; as many at a time as a worker of jobs has. */
@Injectable()
export class RunsHere implements OnApplicationBootstrap {
  private readonly underWay = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private free = executeRun.concurrency;

  constructor(
    @Inject(RunExecution) private readonly execution: RunExecution,
    @Inject(RunDispatch) private readonly dispatch: RunDispatch,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.dispatch.reserve = () => this.reserve();
    this.shutdown.add('drain', 'runs begun here', async () => {
      this.ending.abort();
      await Promise.all(this.underWay);
    });
  }

  /** For jobs of the queue. What cannot be begun is left to the reconciler. */
  async execute(runId: string, ending: AbortSignal): Promise<void> {
    await this.guarded(runId, () => this.execution.execute(runId, ending));
  }

  private reserve(): WorkPlace | undefined {
    const { signal } = this.ending;
    if (signal.aborted || this.free === 0) return undefined;
    this.free -= 1;
    return {
      begin: (run) => this.occupy(this.guarded(run.id, () => this.execution.carryOn(run, signal))),
      claim: (runId) => this.occupy(this.execute(runId, signal)),
      release: () => (this.free += 1),
    };
  }

  private occupy(work: Promise<void>): void {
    const place = work.finally(() => {
      this.free += 1;
      this.underWay.delete(place);
    });
    this.underWay.add(place);
  }

  private async guarded(runId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const level = isStoreUnavailable(error) ? 'warn' : 'error';
      this.logger[level]({ err: error, run_id: runId }, 'a run could not be taken');
    }
  }
}

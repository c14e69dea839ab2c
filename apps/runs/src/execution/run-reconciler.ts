import { executeRun } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { claimable } from './run-claims.sql.js';
import { jobIdOf, RunDispatch, type RunToDo } from './run-dispatch.js';

interface Unclaimed {
  readonly id: string;
  readonly dispatches: number;
  readonly queued_at: Date;
  readonly abandoned: boolean;
}

const pageSize = 500;
/** A run that was queued a moment ago is on its way. */
const graceMs = 3_000;
/** A worker claims at once; a job that is older in its hands and has claimed nothing died with it. */
const claimWithinMs = 5_000;

/**
 * Sees to it that every run with work to do has a job. Redis is asked about each, so that a long queue is left
 * alone and a lost one is put back.
 */
@Injectable()
export class RunReconciler {
  /** Where the last page ended: a long queue is gone through bit by bit. */
  private after: { readonly queuedAt: Date; readonly id: string } | undefined;

  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(JobQueues) private readonly queues: JobQueues,
    @Inject(RunDispatch) private readonly dispatch: RunDispatch,
  ) {}

  /** Looks at one page of runs that nobody works on; true if the next should follow at once. */
  async sweep(): Promise<boolean> {
    const page = await this.unclaimed();
    const last = page.at(-1);
    this.after = page.length === pageSize ? { queuedAt: last!.queued_at, id: last!.id } : undefined;
    const added = await Promise.all(page.map((run) => this.ensureJob(run)));
    return this.after !== undefined && added.includes(true);
  }

  private async ensureJob(run: Unclaimed): Promise<boolean> {
    const toDo: RunToDo = { runId: run.id, dispatches: run.dispatches };
    if (!run.abandoned) {
      const job = await this.queues.queue(executeRun).getJob(jobIdOf(toDo));
      if (!job) {
        await this.dispatch.queue([toDo]);
        return true;
      }
      const waits = job.processedOn === undefined;
      if (waits || Date.now() - job.processedOn! < claimWithinMs) return false;
    }
    return this.dispatchAnew(run);
  }

  /** Of those who want to give a run a new job, one may. */
  private async dispatchAnew({ id, dispatches }: Unclaimed): Promise<boolean> {
    const rows = await this.transactions.query(
      `UPDATE run SET dispatches = dispatches + 1, queued_at = now()
        WHERE id = $1 AND dispatches = $2 AND ${claimable} RETURNING id`,
      [id, dispatches],
    );
    if (rows.length === 0) return false;
    await this.dispatch.queue([{ runId: id, dispatches: dispatches + 1 }]);
    return true;
  }

  /** Runs of all teams, those first that wait longest. */
  private unclaimed(): Promise<Unclaimed[]> {
    return this.transactions.query<Unclaimed>(
      `SELECT id, dispatches, queued_at, lease_until IS NOT NULL AS abandoned FROM run
        WHERE status IN ('pending', 'running') AND ${claimable}
          AND (queued_at < now() - $1 * interval '1 ms' OR lease_until IS NOT NULL)
          AND ($2::timestamptz IS NULL OR (queued_at, id) > ($2, $3::uuid))
        ORDER BY queued_at, id LIMIT ${pageSize}`,
      [graceMs, this.after?.queuedAt ?? null, this.after?.id ?? null],
    );
  }
}

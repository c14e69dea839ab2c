import type { BuildConfig, Question } from '@aos/contracts';
import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { endsOf, type BuilderRunMove, type BuilderRunPhase } from './builder-run-state.js';
import type { BuilderRunEntity } from './builder-run.entity.js';
import {
  askForBuilderRun,
  claimBuilderRun,
  enterPhase,
  failBuilderRun,
  proposeDraft,
  releaseBuilderRun,
  renewBuilderRun,
  replaceBuilderJob,
  unclaimedBuilderRuns,
} from './builder-runs.sql.js';

/** The right to write to a builder run that is running. */
export interface Lease {
  readonly builderRunId: string;
  readonly teamId: string;
  readonly token: string;
}

/** Another worker has the run, or it has ended: nothing that this one still does may count. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(builderRunId: string) {
    super(`The builder run ${builderRunId} has another worker or has ended`);
  }
}

export interface UnclaimedRun {
  readonly id: string;
  readonly job_id: string;
}

type Row = BuilderRunEntity;

/** Writes of workers. Every write but the claim requires the lease. */
@Injectable()
export class BuilderRunLeases {
  constructor(private readonly transactions: Transactions) {}

  /** Takes a run that is to be started or whose worker has let go of it; undefined if there is nothing to take. */
  async claim(builderRunId: string, leaseMs: number): Promise<{ run: Row; lease: Lease } | undefined> {
    const { from, to } = endsOf('start');
    const token = newId();
    const [run] = await this.transactions.query<Row>(claimBuilderRun, [
      builderRunId,
      from,
      to,
      token,
      leaseMs,
    ]);
    return run && { run, lease: { builderRunId, teamId: run.team_id, token } };
  }

  /** False if it is lost. */
  async renew(lease: Lease, leaseMs: number): Promise<boolean> {
    return (await this.tryWrite(lease, renewBuilderRun, [leaseMs])) !== undefined;
  }

  /** The next phase begins only when this is stored. */
  async enter(lease: Lease, phase: BuilderRunPhase, draft?: BuildConfig): Promise<Row> {
    return this.write(lease, enterPhase, [phase, json(draft)]);
  }

  async ask(lease: Lease, questions: readonly Question[]): Promise<Row> {
    return this.move(lease, 'ask', askForBuilderRun, [json({ questions })]);
  }

  async propose(lease: Lease): Promise<Row> {
    return this.move(lease, 'propose', proposeDraft, []);
  }

  async fail(lease: Lease, error: { code: string; message: string }): Promise<Row> {
    return this.move(lease, 'fail', failBuilderRun, [json(error)]);
  }

  /** Lets go of it, so that another worker goes on at once. */
  async release(lease: Lease, attempt: 'handed back' | 'failed'): Promise<void> {
    await this.write(lease, releaseBuilderRun, [attempt === 'failed' ? 1 : 0]);
  }

  /** Runs of all teams that no worker has, in the order of their ids. */
  async unclaimed(afterId: string, limit: number): Promise<UnclaimedRun[]> {
    return this.transactions.query<UnclaimedRun>(unclaimedBuilderRuns, [afterId, limit]);
  }

  /** Compare-and-set: one caller wins. */
  async replaceJob({ id, job_id: oldJobId }: UnclaimedRun, newJobId: string): Promise<boolean> {
    const rows = await this.transactions.query(replaceBuilderJob, [id, oldJobId, newJobId]);
    return rows.length === 1;
  }

  /** Ends the work on the run for now: the lease goes with it. */
  private async move(lease: Lease, move: BuilderRunMove, statement: string, values: unknown[]): Promise<Row> {
    const { to } = endsOf(move);
    return this.write(lease, statement, [to, ...values]);
  }

  private async write(lease: Lease, statement: string, values: unknown[]): Promise<Row> {
    const row = await this.tryWrite(lease, statement, values);
    if (!row) throw new LeaseLost(lease.builderRunId);
    return row;
  }

  private async tryWrite(
    { builderRunId, teamId, token }: Lease,
    statement: string,
    values: unknown[],
  ): Promise<Row | undefined> {
    const [row] = await this.transactions.query<Row>(statement, [builderRunId, teamId, token, ...values]);
    return row;
  }
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

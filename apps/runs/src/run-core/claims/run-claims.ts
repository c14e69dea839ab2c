import { Batcher, type BatchOutcome } from '@aos/background';
import { runProgress, runStarted } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { Broadcasts } from '@aos/messaging';
import { isStoreUnavailable, newId, PreparedStatements, Transactions } from '@aos/persistence';
import { type Histogram, Logger, Metrics, Tracing } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import type { StoredMessage } from '../records/stored-records.js';
import type { claimedColumns } from '../run-columns.js';
import type { RunEntity } from '../run.entity.js';
import {
  claimOldestPending,
  claimOldestPlaced,
  claimOldestRuns,
  claimRuns,
  countRunning,
} from './run-claims.sql.js';
import { TeamLimits } from './team-limits.js';

/** A run in the hands of a worker, as its last stored step left it. */
export interface ClaimedRun extends Pick<RunEntity, (typeof claimedColumns)[number]> {
  readonly token: string;
  /** No worker had it before. */
  readonly first: boolean;
  /** It slept, and is awake. */
  readonly slept: boolean;
  /** Postgres may have lost its latest steps and notes of calls. */
  readonly in_doubt: boolean;
  /** Seconds since it could have been taken. */
  readonly waited: number;
  /** Whether its build had rubrics of its team's when it was started; known only where it begins at once. */
  readonly has_rubrics?: boolean;
  /** All of them, or null: then they are to be read. */
  readonly messages: readonly StoredMessage[] | null;
}

const maxBatch = 100;
const waitBuckets = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3_600];

/** Gives runs to workers: at most one has a run, and everything it writes names its token. */
@Injectable()
export class RunClaims {
  private readonly waits: Histogram;
  private readonly batcher = new Batcher<string, ClaimedRun | undefined>({
    maxSize: maxBatch,
    run: (runIds) => this.claimBatch(runIds),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    private readonly limits: TeamLimits,
    private readonly outbox: Outbox,
    private readonly broadcasts: Broadcasts,
    private readonly tracing: Tracing,
    private readonly logger: Logger,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    metrics: Metrics,
  ) {
    this.waits = metrics.histogram({
      name: 'aos_run_wait_seconds',
      help: 'How long runs waited for a place before a worker took them; those that begin at once are not among them',
      buckets: waitBuckets,
    });
  }

  /** Undefined if there is nothing to do: it has ended, waits, sleeps, or another worker has it. */
  claim(runId: string): Promise<ClaimedRun | undefined> {
    return this.batcher.add(runId);
  }

  /**
   * The oldest waiting runs of teams, at most so many of each. What fails for one team keeps nothing from others: a run
   * that was taken and not given here would wait until its lease has run out. Throws only if none was taken.
   */
  async claimOldest(wanted: ReadonlyMap<string, number>): Promise<readonly ClaimedRun[]> {
    const free = new Map<string, number>();
    const taken: ClaimedRun[] = [];
    const failures: unknown[] = [];
    const trying = (work: () => Promise<unknown>) =>
      work().catch((error: unknown) => void failures.push(error));
    for (const [teamId, count] of wanted) {
      await trying(async () => {
        const limit = await this.limits.of(teamId);
        if (!limit || limit.concurrentRuns === null) free.set(teamId, count);
        else await this.claimWithin(teamId, { count, most: limit.concurrentRuns }, taken);
      });
    }
    if (free.size > 0)
      await trying(async () => taken.push(...(await this.take(claimOldestRuns, wishesOf(free)))));
    if (taken.length === 0 && failures.length > 0) throw failures[0];
    for (const error of failures) this.logger.warn({ err: error }, 'claiming runs of some teams failed');
    return taken;
  }

  /** Claims within the team's limit of running runs, under the team's lock. */
  private async claimWithin(
    teamId: string,
    { count, most }: { count: number; most: number },
    taken: ClaimedRun[],
  ): Promise<void> {
    const wishes = (left: number) => wishesOf(new Map([[teamId, left]]));
    const placed = await this.take(claimOldestPlaced, wishes(count));
    taken.push(...placed);
    if (placed.length === count) return;
    const begun = await this.transactions.run(async () => {
      await this.transactions.lock(`running of ${teamId}`);
      const [row] = await this.transactions.query<{ running: number }>(countRunning, [teamId]);
      const left = Math.min(count - placed.length, most - row!.running);
      return left > 0 ? this.take(claimOldestPending, wishes(left), this.transactions) : [];
    });
    taken.push(...begun);
  }

  private async claimBatch(
    runIds: readonly string[],
  ): Promise<readonly BatchOutcome<ClaimedRun | undefined>[]> {
    const wishes = [...new Set(runIds)].map((runId) => ({
      run_id: runId,
      token: newId(),
      event_id: newId(),
    }));
    const taken = new Map((await this.take(claimRuns, wishes)).map((run) => [run.id, run]));
    // Compare-and-set: one caller wins.
    return runIds.map((runId) => {
      const value = taken.get(runId);
      taken.delete(runId);
      return { ok: true, value };
    });
  }

  /** Alone, or in the open transaction. */
  private async take(
    statement: string,
    wishes: readonly object[],
    open?: Transactions,
  ): Promise<ClaimedRun[]> {
    const at = new Date();
    const traced = this.tracing.enabled;
    const write = (sql: string, values: unknown[]) =>
      open ? open.query<ClaimedRun>(sql, values) : this.statements.write<ClaimedRun>(sql, values);
    const rows = await write(statement, [
      JSON.stringify(wishes.map((wish) => ({ ...wish, at, traced }))),
      this.settings.RUN_LEASE_MS,
      runStarted.name,
    ]);
    const started = rows.filter(({ first }) => first);
    for (const { waited } of rows) this.waits.observe(Math.max(0, waited));
    if (open) open.afterCommit(() => this.notify(started));
    else this.notify(started);
    return rows;
  }

  private notify(started: readonly ClaimedRun[]): void {
    if (started.length > 0) this.outbox.recorded();
    this.broadcasts.sendSoon(
      runProgress,
      started.map(({ id, event_seq: seq }) => ({ run_id: id, seq, status: 'running' })),
    );
  }
}

function wishesOf(wanted: ReadonlyMap<string, number>): object[] {
  const ids = (count: number) => Array.from({ length: count }, newId);
  return [...wanted].map(([teamId, count]) => ({
    team_id: teamId,
    tokens: ids(count),
    event_ids: ids(count),
  }));
}

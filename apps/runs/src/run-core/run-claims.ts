import { runProgress, runStarted } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Batcher, type BatchOutcome } from '@aos/background';
import { isStoreUnavailable, newId, Outbox, PreparedStatements } from '@aos/persistence';
import { currentContext } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import type { claimedColumns } from './run-columns.js';
import type { RunEntity } from './run.entity.js';
import { claimOldestRuns, claimRuns } from './run-claims.sql.js';
import type { StoredMessage } from './loop-messages.js';

/** A run in the hands of a worker, as its last stored step left it. */
export interface ClaimedRun extends Pick<RunEntity, (typeof claimedColumns)[number]> {
  readonly token: string;
  /** No worker had it before. */
  readonly first: boolean;
  /** It slept, and is awake. */
  readonly slept: boolean;
  /** All of them, or null: then they are to be read. */
  readonly messages: readonly StoredMessage[] | null;
}

const maxBatch = 100;

/** Gives runs to workers: at most one has a run, and everything it writes names its token. */
@Injectable()
export class RunClaims {
  private readonly batcher = new Batcher<string, ClaimedRun | undefined>({
    maxSize: maxBatch,
    run: (runIds) => this.claimBatch(runIds),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    private readonly statements: PreparedStatements,
    private readonly outbox: Outbox,
    private readonly broadcasts: Broadcasts,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {}

  /** Undefined if there is nothing to do: it has ended, waits, sleeps, or another worker has it. */
  claim(runId: string): Promise<ClaimedRun | undefined> {
    return this.batcher.add(runId);
  }

  /** The oldest waiting runs of teams, at most so many of each. */
  async claimOldest(wanted: ReadonlyMap<string, number>): Promise<readonly ClaimedRun[]> {
    const ids = (count: number) => Array.from({ length: count }, newId);
    const wishes = [...wanted].map(([teamId, count]) => ({
      team_id: teamId,
      tokens: ids(count),
      event_ids: ids(count),
    }));
    return this.take(claimOldestRuns, wishes);
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
    // Of two who want the same run one gets it.
    return runIds.map((runId) => {
      const value = taken.get(runId);
      taken.delete(runId);
      return { ok: true, value };
    });
  }

  private async take(statement: string, wishes: readonly object[]): Promise<ClaimedRun[]> {
    const at = new Date();
    const meta = { traceparent: currentContext()?.traceparent };
    const rows = await this.statements.write<ClaimedRun>(statement, [
      JSON.stringify(wishes.map((wish) => ({ ...wish, at, meta }))),
      this.settings.RUN_LEASE_MS,
      runStarted.name,
    ]);
    const started = rows.filter(({ first }) => first);
    if (started.length > 0) this.outbox.recorded();
    this.broadcasts.sendSoon(
      runProgress,
      started.map(({ id, event_seq: seq }) => ({ run_id: id, seq, status: 'running' })),
    );
    return rows;
  }
}

import { EventEmitter } from 'node:events';
import { Batcher, type BatchOutcome } from '@aos/background';
import { hasEnded, runProgress } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { Broadcasts } from '@aos/messaging';
import { isStoreUnavailable, PreparedStatements, Transactions } from '@aos/persistence';
import { isoTime, Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunDispatch } from '../claims/run-dispatch.js';
import { recordColumns } from '../records/run-records.js';
import { outcomeOf, toldEvents } from '../run.mapper.js';
import type { ChangedRun, CommittedRun, RunChange } from './run-change.js';
import { runChangeForms, wakeParents } from './run-changes.sql.js';
import { type RunChangePart, RunChangeParts, type StatementForms } from './statement-parts.js';

interface CommittedChangesEvents {
  /** Runs were changed, and it is committed. */
  changed: [readonly ChangedRun[]];
}

/** Publishes committed changes within this process. They are lost if the process dies. */
@Injectable()
export class CommittedChanges extends EventEmitter<CommittedChangesEvents> {}

/** Runs that wait for runs which they have started. */
@Injectable()
export class ParentRuns {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly dispatch: RunDispatch,
  ) {}

  /** Wakes those of them that need not wait any longer. If it fails, they wake by themselves a little later. */
  async wake(runIds: readonly string[]): Promise<void> {
    const rows = await this.statements.write<{ id: string; team_id: string }>(wakeParents, [runIds]);
    this.dispatch.add(rows.map(({ id, team_id: teamId }) => ({ runId: id, teamId })));
  }
}

const maxBatch = 100;

/**
 * Every change of a run after its start goes through one statement: the row, its messages, its step, its events
 * and the count of ended runs are written together, under compare-and-set. Workers' changes share statements.
 */
@Injectable()
export class RunChanges {
  private readonly forms: StatementForms<RunChange, RunChangePart>;
  private readonly batcher = new Batcher<RunChange, ChangedRun | undefined>({
    maxSize: maxBatch,
    run: (changes) => this.writeBatch(changes),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly broadcasts: Broadcasts,
    private readonly parents: ParentRuns,
    private readonly committed: CommittedChanges,
    @Inject(RunChangeParts) parts: readonly RunChangePart[],
    private readonly logger: Logger,
  ) {
    this.forms = runChangeForms(parts);
  }

  /** Alone, committed when it resolves; undefined if the run was not as the change says it must be. */
  commit(change: RunChange): Promise<ChangedRun | undefined> {
    return this.batcher.add(change);
  }

  /** In the open transaction. */
  async apply(change: RunChange): Promise<ChangedRun | undefined> {
    return (await this.applyAll([change])).get(0);
  }

  /** In the open transaction; what was changed, by its place among the changes. */
  async applyAll(changes: readonly RunChange[]): Promise<ReadonlyMap<number, ChangedRun>> {
    if (changes.length === 0) return new Map();
    const at = new Date();
    const { sql, parts } = this.forms.for(changes);
    const changed = await this.transactions.query<CommittedRun>(sql, [inputOf(changes, at, parts)]);
    if (changed.length > 0) this.transactions.afterCommit(() => this.notify(changes, changed, at));
    return new Map(changed.map((row) => [row.n, row]));
  }

  private async writeBatch(
    changes: readonly RunChange[],
  ): Promise<readonly BatchOutcome<ChangedRun | undefined>[]> {
    const at = new Date();
    const { sql, parts } = this.forms.for(changes);
    const rows = await this.statements.write<CommittedRun>(sql, [inputOf(changes, at, parts)]);
    this.notify(changes, rows, at);
    const byPlace = new Map(rows.map((row) => [row.n, row]));
    return changes.map((_, n) => ({ ok: true, value: byPlace.get(n) }));
  }

  private notify(changes: readonly RunChange[], changed: readonly CommittedRun[], at: Date): void {
    this.outbox.recorded();
    this.broadcasts.send(
      runProgress,
      changed.map((row) => ({
        run_id: row.run_id,
        seq: row.event_seq,
        status: row.status,
        outcome: outcomeOf(changes[row.n]!, row),
        events: toldEvents(changes[row.n]!, row, at),
      })),
    );
    this.logFailures(changes, changed);
    this.wakeParents(changed);
    this.committed.emit('changed', changed);
  }

  private logFailures(changes: readonly RunChange[], changed: readonly CommittedRun[]): void {
    for (const { n, run_id, team_id } of changed) {
      const { error } = changes[n]!;
      if (!error) continue;
      this.logger.info({ run_id, team_id, code: error.code, reason: error.message }, 'run failed');
    }
  }

  /** Runs that wait for one that has ended are woken. */
  private wakeParents(changed: readonly ChangedRun[]): void {
    const waiting = changed.flatMap(({ parent_run_id: id, status }) => (id && hasEnded(status) ? [id] : []));
    if (waiting.length === 0) return;
    this.parents.wake(waiting).catch((error: unknown) => {
      this.logger.warn(
        { err: error },
        'runs that wait for others were not woken; they will look for themselves',
      );
    });
  }
}

function inputOf(changes: readonly RunChange[], at: Date, parts: readonly RunChangePart[]): string {
  const time = isoTime(at);
  return JSON.stringify(
    changes.map((change, n) => ({
      n,
      at: time,
      run_id: change.runId,
      from_statuses: change.from,
      token: change.token,
      expected_steps: change.steps,
      seen_seq: change.seenSeq,
      status: change.status,
      result: change.result,
      error: change.error,
      stop_reason: change.stopReason,
      script_position: change.scriptPosition,
      active_ms: change.activeMs ?? 0,
      tool_calls: change.usage?.toolCalls ?? 0,
      input_tokens: change.usage?.inputTokens ?? 0,
      output_tokens: change.usage?.outputTokens ?? 0,
      step: change.step,
      closes_step: change.closesStep,
      reopened_from: change.reopenedFrom,
      keeps_lease: change.keepsLease ?? false,
      settles_doubt: change.settlesDoubt ?? false,
      requeue_after_ms: change.requeueAfterMs,
      ...recordColumns(change),
      ...valuesOf(parts, change),
    })),
  );
}

function valuesOf(parts: readonly RunChangePart[], change: RunChange): object {
  const values = {};
  for (const part of parts) Object.assign(values, part.values(change));
  return values;
}

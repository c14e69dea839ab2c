import { Batcher, type BatchOutcome } from '@aos/background';
import { AppError, runFileCreated } from '@aos/contracts';
import { isStoreUnavailable, PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunChange } from '../run-core/changes/run-change.js';
import { RunChanges } from '../run-core/changes/run-changes.js';
import { RunLost } from '../run-core/claims/lease.js';
import { RunEvents } from '../run-core/records/run-events.js';
import { changeBy } from '../run-core/run-state.js';
import { graceMs, uploadMs } from './sandbox-paths.js';
import type { SandboxFileEntity } from './sandbox.entities.js';
import { SandboxesRepository, type StoredFile } from './sandboxes.repository.js';
import { type CommittedRow, SandboxesService } from './sandboxes.service.js';
import { stageWrites } from './sandboxes.sql.js';

/** Bytes that a worker is about to store for its run. */
interface NewWrite {
  readonly runId: string;
  readonly token: string;
  readonly key: string;
  /** The tool whose call this is, if it was not noted before. */
  readonly noteAs?: string;
}

const maxStagedBatch = 100;

/** Stores the intent to write bytes. Concurrent writes share a statement. */
@Injectable()
export class StagedWrites {
  private readonly batcher = new Batcher<NewWrite, boolean>({
    maxSize: maxStagedBatch,
    run: (writes) => this.write(writes),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(private readonly statements: PreparedStatements) {}

  /** False if the run is no longer the worker's. */
  note(write: NewWrite): Promise<boolean> {
    return this.batcher.add(write);
  }

  private async write(writes: readonly NewWrite[]): Promise<readonly BatchOutcome<boolean>[]> {
    const startedAt = new Date();
    const input = writes.map(({ runId, token, key, noteAs }, n) => {
      return { n, run_id: runId, token, key, name: noteAs, started_at: startedAt };
    });
    const rows = await this.statements.write<{ n: number }>(stageWrites, [JSON.stringify(input), uploadMs]);
    const noted = new Set(rows.map(({ n }) => n));
    return writes.map((_, n) => ({ ok: true, value: noted.has(n) }));
  }
}

/** A file of a run, its bytes stored, and the lease under which it becomes one. */
export interface RunFile extends StoredFile {
  readonly runId: string;
  readonly token: string;
}

type Outcome = BatchOutcome<SandboxFileEntity>;

const maxBatch = 100;

/**
 * Makes stored bytes files of runs: the file, the counts of its sandbox and the event of a new one hold together, while
 * the run is the worker's. Files that come meanwhile share the next transaction.
 */
@Injectable()
export class RunFileCommits {
  private readonly batcher = new Batcher<RunFile, SandboxFileEntity>({
    maxSize: maxBatch,
    run: (files) => this.commitBatch(files),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly repository: SandboxesRepository,
    private readonly changes: RunChanges,
    private readonly events: RunEvents,
    private readonly transactions: Transactions,
  ) {}

  commit(file: RunFile): Promise<SandboxFileEntity> {
    return this.batcher.add(file);
  }

  /** In a transaction with what lies beside it. */
  commitWith(file: RunFile, beside: (file: SandboxFileEntity) => Promise<void>): Promise<SandboxFileEntity> {
    return this.transactions.run(async () => {
      const [outcome] = await this.commitApart([file]);
      if (!outcome!.ok) throw outcome!.error;
      await beside(outcome!.value);
      return outcome!.value;
    });
  }

  /** False if there was no such file. */
  remove(file: Omit<RunFile, 'key' | 'size_bytes' | 'sha256'>): Promise<boolean> {
    return this.transactions.run(async () => {
      const held = await this.repository.lockForRuns([file]);
      if (!held.has(0)) throw new RunLost(file.runId);
      return this.repository.remove(file.sandboxId, file.path, graceMs);
    });
  }

  private async commitBatch(files: readonly RunFile[]): Promise<readonly Outcome[]> {
    const outcomes = new Map<RunFile, Outcome>();
    for (const round of roundsOf(files)) {
      const settled = await this.transactions.run(() => this.commitApart(round));
      round.forEach((file, n) => outcomes.set(file, settled[n]!));
    }
    return files.map((file) => outcomes.get(file)!);
  }

  /** In the open transaction; each of another sandbox. */
  private async commitApart(files: readonly RunFile[]): Promise<readonly Outcome[]> {
    const held = await this.repository.lockForRuns(files);
    const ours = files.filter((_, n) => held.has(n));
    const rows = ours.length > 0 ? await this.sandboxes.commitLocked(ours) : [];
    const committed = new Map(ours.map((file, n) => [file, rows[n]!]));
    await this.tell([...committed]);
    return files.map((file) => outcomeOf(file, committed.get(file)));
  }

  /** The runs are locked, so that nothing hinders it. */
  private async tell(committed: readonly (readonly [RunFile, CommittedRow | AppError])[]): Promise<void> {
    const created = committed.flatMap(([run, row]) =>
      row instanceof AppError || !row.created ? [] : [this.changeOf(run, row.file)],
    );
    const changed = await this.changes.applyAll(created);
    if (changed.size < created.length) throw new RunLost(created.find((_, n) => !changed.has(n))!.runId);
  }

  private changeOf(
    { runId, teamId, token }: RunFile,
    { path, size_bytes: size }: SandboxFileEntity,
  ): RunChange {
    const data = { run_id: runId, path, size_bytes: Number(size) };
    return {
      runId,
      ...changeBy('step'),
      token,
      keepsLease: true,
      messages: [],
      events: this.events.publicEvent({ event: runFileCreated, teamId, data }),
    };
  }
}

function outcomeOf({ runId }: RunFile, row: CommittedRow | AppError | undefined): Outcome {
  if (!row) return { ok: false, error: new RunLost(runId) };
  return row instanceof AppError ? { ok: false, error: row } : { ok: true, value: row.file };
}

/** Those of one sandbox come one after the other: each counts what the one before has left. */
function roundsOf(files: readonly RunFile[]): RunFile[][] {
  const rounds: RunFile[][] = [];
  const taken = new Map<string, number>();
  for (const file of files) {
    const round = taken.get(file.sandboxId) ?? 0;
    taken.set(file.sandboxId, round + 1);
    (rounds[round] ??= []).push(file);
  }
  return rounds;
}

import { AppError, runProgress, runStarted, startRun } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Batcher, type BatchOutcome } from '@aos/background';
import {
  isStoreUnavailable,
  keyRecordRow,
  KeyTaken,
  newId,
  Outbox,
  PreparedStatements,
  Transactions,
} from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { afterAnswers } from './after-answers.js';
import { BuildCopies, digestOf } from './build-copies.js';
import { firstOfEachScope, newRunRow, takenRun, type NewRun, type NewRunRow } from './new-run.js';
import type { ClaimedRun } from './run-claims.js';
import { RunDispatch } from './run-dispatch.js';
import { RunEvents } from './run-events.js';
import { recordColumns, type MessageRecord, type RunRecords } from './run-records.js';
import type { RunSlot } from './run-slots.js';
import { insertRuns } from './run-starts.sql.js';
import { factsOf, runAnswer } from './run.mapper.js';
import { RunStartParts, type RunStartPart } from './statement-parts.js';

interface Start {
  readonly run: NewRunRow;
  readonly row: object;
  readonly scope: string | undefined;
  /** A slot of this process in which the run begins as soon as it is stored, and the run as the slot gets it. */
  readonly taken: { readonly slot: RunSlot; readonly run: ClaimedRun } | undefined;
}

/** Runs that are stored in a transaction of the caller's. */
export interface AppliedStarts {
  begin(): void;
  release(): void;
}

interface Written {
  readonly n: number;
  readonly refused: string | null;
  readonly made: boolean;
}

const maxBatch = 100;

/**
 * Stores new runs, many in one statement: the run, its first message, the events, the key's record. Where a slot of this
 * process is free, the run is stored as taken by it: that saves a statement and the way over the queue.
 */
@Injectable()
export class RunStarts {
  private readonly batcher = new Batcher<Start, NewRunRow>({
    maxSize: maxBatch,
    run: (starts) => this.write(starts),
    tryAlone: (error) => !isStoreUnavailable(error),
  });
  private readonly sql: string;
  private readonly errors: ReadonlyMap<string, () => Error>;

  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly events: RunEvents,
    private readonly copies: BuildCopies,
    private readonly dispatch: RunDispatch,
    private readonly broadcasts: Broadcasts,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    @Inject(RunStartParts) private readonly parts: readonly RunStartPart[],
  ) {
    this.sql = insertRuns(parts);
    this.errors = new Map<string, () => Error>([
      ['key taken', () => new KeyTaken()],
      ['parent ended', parentEnded],
      ...parts.flatMap(({ refusal }) => (refusal ? [[refusal.reason, () => refusal.error()] as const] : [])),
    ]);
  }

  /** Committed, and in the hands of a worker or on the way to one, when it resolves; as it was accepted: pending. */
  async start(wanted: NewRun): Promise<NewRunRow> {
    const slot = this.dispatch.reserve(wanted.teamId);
    try {
      return await this.batcher.add(this.prepare(wanted, slot));
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  /**
   * In the open transaction, all or none. The caller begins them once it has committed, or gives their slots back: what
   * becomes of the transaction is not known here.
   */
  async apply(wanted: readonly NewRun[]): Promise<AppliedStarts> {
    const starts = wanted.map((run) => this.prepare(run, this.dispatch.reserve(run.teamId)));
    const release = () => {
      for (const { taken } of starts) taken?.slot.release();
    };
    try {
      const rows = await this.transactions.query<Written>(this.sql, [
        JSON.stringify(starts.map(({ row }, n) => ({ ...row, n }))),
      ]);
      for (const { refused } of rows) if (refused !== null) throw this.errors.get(refused)!();
    } catch (error) {
      release();
      throw error;
    }
    return {
      begin: () => {
        this.outbox.recorded();
        this.begin(starts);
      },
      release,
    };
  }

  private prepare(wanted: NewRun, slot: RunSlot | undefined): Start {
    const digest = digestOf(wanted.found.build);
    this.copies.keep(digest, wanted.found.build);
    const run = newRunRow(wanted);
    const records = this.firstRecords(run, wanted, slot !== undefined);
    const token = slot ? newId() : null;
    const row = {
      ...run,
      at: run.created_at,
      build_digest: digest,
      build: wanted.found.build,
      schedule_id: wanted.scheduleId,
      webhook_url: wanted.webhookUrl,
      parent_run_id: wanted.parent?.runId,
      parent_call_id: wanted.parent?.callId,
      depth: wanted.parent ? wanted.parent.depth + 1 : 0,
      token,
      lease_ms: token && this.settings.RUN_LEASE_MS,
      ...recordColumns(records),
      ...keyRecordRow(startRun, wanted.keyRecord, runAnswer(run)),
      ...valuesOf(this.parts, run),
    };
    const { scheduleId } = wanted;
    const taken = slot && token && { slot, run: takenRun(run, { digest, scheduleId, token, records }) };
    return { run, row, scope: wanted.keyRecord?.scope, taken: taken || undefined };
  }

  private firstRecords(run: NewRunRow, { message, events = [] }: NewRun, started: boolean): RunRecords {
    const teamId = run.team_id;
    const messages: MessageRecord[] =
      message === null || message === ''
        ? []
        : [{ id: newId(), type: 'text', role: 'user', text_content: message }];
    const data = factsOf(run, { status: 'running' });
    return {
      messages,
      events: [
        ...events.map((event) => ({ ...event, isPublic: false })),
        ...this.events.ofMessages(run, messages),
        ...(started ? this.events.publicEvent({ event: runStarted, teamId, data }) : []),
      ],
    };
  }

  private async write(starts: readonly Start[]): Promise<readonly BatchOutcome<NewRunRow>[]> {
    const { wanted, late } = firstOfEachScope(starts);
    const rows = await this.statements.write<Written>(this.sql, [
      JSON.stringify([...wanted].map((n) => ({ ...starts[n]!.row, n }))),
    ]);
    this.outbox.recorded();
    const made = rows.filter((row) => row.made).map(({ n }) => starts[n]!);
    afterAnswers(() => this.begin(made));
    const refusals = new Map(rows.map(({ n, refused }) => [n, refused]));
    for (const { n } of rows.filter((row) => !row.made && row.refused === null))
      starts[n]!.taken?.slot.release();
    return starts.map(({ run }, n) => {
      const refused = late.has(n) ? 'key taken' : refusals.get(n);
      const error = refused && this.errors.get(refused)?.();
      return error ? { ok: false, error } : { ok: true, value: run };
    });
  }

  private begin(made: readonly Start[]): void {
    const taken = made.flatMap((start) => start.taken ?? []);
    for (const { slot, run } of taken) slot.begin(run);
    this.broadcasts.sendSoon(
      runProgress,
      taken.map(({ run }) => ({ run_id: run.id, seq: run.event_seq, status: 'running' })),
    );
    this.dispatch.add(
      made.filter((start) => !start.taken).map(({ run }) => ({ runId: run.id, teamId: run.team_id })),
    );
  }
}

function valuesOf(parts: readonly RunStartPart[], run: NewRunRow): object {
  const values = {};
  for (const part of parts) Object.assign(values, part.values?.(run));
  return values;
}

function parentEnded(): AppError {
  return new AppError('invalid_state', 'The run that wanted to start it has ended.');
}

import { Batcher, type BatchOutcome } from '@aos/background';
import { AppError, runProgress, runStarted, startRun } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { Broadcasts } from '@aos/messaging';
import {
  isStoreUnavailable,
  keyRecordRow,
  KeyTaken,
  newId,
  PreparedStatements,
  Transactions,
} from '@aos/persistence';
import { currentContext, isoTime } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { type RunStartPart, RunStartParts, type StatementForms } from '../changes/statement-parts.js';
import type { ClaimedRun } from '../claims/run-claims.js';
import { RunDispatch } from '../claims/run-dispatch.js';
import type { RunSlot } from '../claims/run-slots.js';
import { type TeamLimit, TeamLimits } from '../claims/team-limits.js';
import { RunEvents } from '../records/run-events.js';
import { type MessageRecord, recordColumns, type RunRecords } from '../records/run-records.js';
import { afterAnswers } from '../records/stored-records.js';
import { factsOf, runAnswer } from '../run.mapper.js';
import { BuildSnapshots, type BuildCopy } from './build-snapshots.js';
import { firstOfEachScope, type NewRun, newRunRow, type NewRunRow, takenRun } from './new-run.js';
import { countAgents } from './count-agents.js';
import { buildMissing, runStartForms } from './run-starts.sql.js';

interface Start {
  readonly newRun: NewRun;
  readonly run: NewRunRow;
  readonly row: object;
  readonly copy: BuildCopy;
  readonly scope: string | undefined;
  /** A slot of this process in which the run begins as soon as it is stored, and the run as the slot gets it. */
  readonly taken: { readonly slot: RunSlot; readonly run: ClaimedRun } | undefined;
  /** The team may have only so many at once: it begins when its turn comes. */
  readonly inTurn?: boolean;
}

/** Runs that are stored in a transaction of the caller's. */
export interface AppliedStarts {
  readonly runs: readonly NewRunRow[];
  begin(): void;
  release(): void;
}

interface Written {
  readonly n: number;
  readonly refused: string | null;
  readonly made: boolean;
  readonly run_number: number | null;
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
  private readonly forms: StatementForms<NewRun, RunStartPart>;
  private readonly errors: ReadonlyMap<string, () => Error>;

  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly events: RunEvents,
    private readonly copies: BuildSnapshots,
    private readonly dispatch: RunDispatch,
    private readonly broadcasts: Broadcasts,
    private readonly limits: TeamLimits,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    @Inject(RunStartParts) private readonly parts: readonly RunStartPart[],
  ) {
    this.forms = runStartForms(parts);
    this.errors = new Map<string, () => Error>([
      ['key taken', () => new KeyTaken()],
      ['parent ended', parentEnded],
      [buildMissing, () => new BuildMissing()],
      ...parts.flatMap(({ refusal }) => (refusal ? [[refusal.reason, () => refusal.error()] as const] : [])),
    ]);
  }

  /** Committed, and in the hands of a worker or on the way to one, when it resolves; as it was accepted: pending. */
  async start(wanted: NewRun): Promise<NewRunRow> {
    const limit = await this.limits.of(wanted.teamId);
    if (limit) return this.startWithin(limit, wanted);
    const slot = this.dispatch.reserve(wanted.teamId);
    try {
      return await this.store(this.prepare(wanted, slot));
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  private async store(start: Start): Promise<NewRunRow> {
    try {
      return await this.batcher.add(start);
    } catch (error) {
      if (!(error instanceof BuildMissing)) throw error;
      this.copies.setLost(start.copy.digest);
      return this.batcher.add(start);
    }
  }

  /** Alone: what counts a team's starts is in one transaction with each of them. */
  private async startWithin(limit: TeamLimit, wanted: NewRun): Promise<NewRunRow> {
    let applied: AppliedStarts | undefined;
    try {
      await this.transactions.run(async () => {
        applied?.release();
        applied = await this.applyWithin(new Map([[wanted.teamId, limit]]), [wanted]);
      });
      applied!.begin();
      return applied!.runs[0]!;
    } catch (error) {
      applied?.release();
      throw error;
    }
  }

  /**
   * In the open transaction, all or none. The caller begins them once it has committed, or gives their slots back: what
   * becomes of the transaction is not known here.
   */
  async apply(wanted: readonly NewRun[]): Promise<AppliedStarts> {
    const limits = new Map<string, TeamLimit>();
    for (const teamId of new Set(wanted.map((run) => run.teamId))) {
      const limit = await this.limits.of(teamId);
      if (limit) limits.set(teamId, limit);
    }
    return this.applyWithin(limits, wanted);
  }

  private async applyWithin(
    limits: ReadonlyMap<string, TeamLimit>,
    wanted: readonly NewRun[],
  ): Promise<AppliedStarts> {
    const starts = wanted.map((run) => this.prepareWithin(limits.get(run.teamId), run));
    const counted = [...limits].flatMap(([teamId, { countsStarts }]) => (countsStarts ? [teamId] : []));
    let numbers: Numbers = new Map();
    const release = () => {
      for (const { taken } of starts) taken?.slot.release();
    };
    try {
      // Before the runs are there: what has not been counted yet is counted from those that are.
      for (const teamId of counted) await this.limits.roomForStarts(teamId);
      const rows = await this.transactions.query<Written>(this.forms.for(wanted).sql, [
        ...inputOf(starts.map((start, n) => ({ start, n, build: start.copy.build }))),
      ]);
      numbers = new Map(rows.map(({ n, run_number: number }) => [n, number]));
      for (const { refused } of rows) if (refused !== null) throw this.errors.get(refused)!();
      const made = rows.filter((row) => row.made).map(({ n }) => starts[n]!.run.team_id);
      for (const teamId of counted.filter((id) => made.includes(id))) {
        await this.limits.countStarts(teamId, made.filter((id) => id === teamId).length);
      }
    } catch (error) {
      release();
      throw error;
    }
    return {
      runs: starts.map(({ run }, n) => numberedRun(run, numbers.get(n))),
      begin: () => {
        this.outbox.recorded();
        this.begin(starts);
      },
      release,
    };
  }

  private prepareWithin(limit: TeamLimit | undefined, wanted: NewRun): Start {
    const inTurn = limit !== undefined && limit.concurrentRuns !== null;
    return { ...this.prepare(wanted, inTurn ? undefined : this.dispatch.reserve(wanted.teamId)), inTurn };
  }

  private prepare(wanted: NewRun, slot: RunSlot | undefined): Start {
    const { digest, build } = wanted.found;
    this.copies.keep({ digest, build });
    const run = newRunRow(wanted);
    const records = this.firstRecords(run, wanted, slot !== undefined);
    const token = slot ? newId() : null;
    const traceparent = currentContext()?.traceparent ?? null;
    const row = {
      ...run,
      ...withoutTimes,
      at: isoTime(run.created_at),
      build_digest: digest,
      schedule_id: wanted.scheduleId,
      webhook_url: wanted.webhookUrl,
      traceparent,
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
    const hasRubrics = wanted.found.has_rubrics;
    const taken = slot &&
      token && {
        slot,
        run: takenRun(run, { digest, hasRubrics, scheduleId, token, records, traceparent }),
      };
    const scope = wanted.keyRecord?.scope;
    return { newRun: wanted, run, row, copy: { digest, build }, scope, taken: taken || undefined };
  }

  private firstRecords(run: NewRunRow, { message, events = [] }: NewRun, started: boolean): RunRecords {
    const teamId = run.team_id;
    const messages: MessageRecord[] =
      message === null || message === ''
        ? []
        : [{ id: newId(), type: 'text', role: 'user', text_content: message }];
    const data = factsOf(run, { status: 'running' });
    const usage = { agent_id: run.agent_id, agent_name: run.agent_name };
    return {
      messages,
      events: [
        ...events.map((event) => ({ ...event, isPublic: false })),
        ...this.events.ofMessages(run, messages),
        ...(started ? this.events.publicEvent({ event: runStarted, teamId, data, usage }) : []),
      ],
    };
  }

  private async write(starts: readonly Start[]): Promise<readonly BatchOutcome<NewRunRow>[]> {
    const { wanted, late } = firstOfEachScope(starts);
    const { sql } = this.forms.for(starts.map(({ newRun }) => newRun));
    const rows = await this.statements.write<Written>(sql, [
      ...inputOf([...wanted].map((n) => ({ start: starts[n]!, n, build: this.unstoredBuild(starts[n]!) }))),
    ]);
    this.outbox.recorded();
    const made = rows.filter((row) => row.made).map(({ n }) => starts[n]!);
    for (const { copy } of made) this.copies.setStored(copy.digest);
    afterAnswers(() => this.begin(made));
    const refusals = new Map(rows.map(({ n, refused }) => [n, refused]));
    const numbers: Numbers = new Map(rows.map(({ n, run_number: number }) => [n, number]));
    for (const { n } of rows.filter((row) => !row.made && row.refused === null))
      starts[n]!.taken?.slot.release();
    return starts.map(({ run }, n) => {
      const refused = late.has(n) ? 'key taken' : refusals.get(n);
      const error = refused && this.errors.get(refused)?.();
      return error ? { ok: false, error } : { ok: true, value: numberedRun(run, numbers.get(n)) };
    });
  }

  private unstoredBuild({ copy }: Start): BuildCopy['build'] | undefined {
    return this.copies.isStored(copy.digest) ? undefined : copy.build;
  }

  private begin(made: readonly Start[]): void {
    const taken = made.flatMap((start) => start.taken ?? []);
    for (const { slot, run } of taken) slot.begin(run);
    this.broadcasts.sendSoon(
      runProgress,
      taken.map(({ run }) => ({ run_id: run.id, seq: run.event_seq, status: 'running' })),
    );
    const waiting = made.filter((start) => !start.taken);
    this.dispatch.add(
      waiting.filter(({ inTurn }) => !inTurn).map(({ run }) => ({ runId: run.id, teamId: run.team_id })),
    );
    for (const { run, inTurn } of waiting) if (inTurn) this.dispatch.wake(run.team_id);
  }
}

/** By the place of the start. */
type Numbers = ReadonlyMap<number, number | null>;

function numberedRun(run: NewRunRow, number: number | null | undefined): NewRunRow {
  return { ...run, run_number: number ?? run.run_number };
}

/** The parameters of the statement. */
function inputOf(
  starts: readonly { readonly start: Start; readonly n: number; readonly build?: BuildCopy['build'] }[],
): [runs: string, agents: string] {
  const { behind, agents } = countAgents(starts.map(({ start }) => start));
  const runs = starts.map(({ start, n, build }, place) => ({
    ...start.row,
    build,
    n,
    behind: behind[place],
  }));
  return [JSON.stringify(runs), JSON.stringify(agents)];
}

function valuesOf(parts: readonly RunStartPart[], run: NewRunRow): object {
  const values = {};
  for (const part of parts) Object.assign(values, part.values?.(run));
  return values;
}

/** The statement has all of them from `at`. */
const withoutTimes = { created_at: undefined, started_at: undefined, updated_at: undefined };

/** The start that brings its build is stored. */
class BuildMissing extends Error {}

function parentEnded(): AppError {
  return new AppError('invalid_state', 'The run that requested the sub-run has ended.');
}

import {
  AppError,
  notFound,
  runProgress,
  runStarted,
  startRun,
  type CopiedBuild,
  type KeyRecord,
  type RunSource,
} from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Batcher, type BatchOutcome } from '@aos/background';
import { isStoreUnavailable, keyRecordRow, KeyTaken, newId, Outbox, Statements } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedRun } from './run-claims.js';
import { RunDispatch, type RunSlot } from './run-dispatch.js';
import { RunEvents } from './run-events.js';
import { searchable } from '../run-list/searchable.js';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { BuildCopies, digestOf } from './build-copies.js';
import { recordColumns, type MessageRecord, type RunRecords } from './run-records.js';
import { insertRuns } from './run-starts.sql.js';
import { factsOf, runAnswer, type ShownRun } from './run.mapper.js';
import { titleOf } from './run-title.js';

/** What a run is made of. */
export interface FoundBuild {
  readonly agent_name: string;
  readonly build: CopiedBuild;
}

/** A run to be made. */
export interface NewRun {
  readonly id: string;
  readonly teamId: string;
  readonly found: FoundBuild;
  readonly message: string | null;
  readonly source: RunSource;
  readonly userId: string | null;
  readonly scheduleId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly humanInTheLoop: boolean;
  /** Where its callbacks go; judged already. */
  readonly webhookUrl: string | null;
  /** A sandbox that was made before; without one the run has its own. */
  readonly sandboxId?: string;
  /** The run whose tool call starts it, and how deep that one is. */
  readonly parent?: { readonly runId: string; readonly callId: string; readonly depth: number };
  /** The key's record, stored with the run. */
  readonly keyRecord?: KeyRecord;
}

interface Start {
  readonly run: ShownRun;
  readonly row: object;
  readonly scope: string | undefined;
  /** A worker of this process that begins the run as soon as it is stored, and the run as it gets it. */
  readonly taken: { readonly slot: RunSlot; readonly run: ClaimedRun } | undefined;
}

interface Written {
  readonly n: number;
  readonly refused: 'agent deleted' | 'parent ended' | 'key taken' | null;
  readonly made: boolean;
}

const maxBatch = 100;

/**
 * Stores new runs, many in one statement: the run, its first message, the events, the key's record. Where a worker of
 * this process is free, the run is stored as taken by it: that saves a statement and the way over the queue.
 */
@Injectable()
export class RunStarts {
  private readonly batcher = new Batcher<Start, ShownRun>({
    maxSize: maxBatch,
    run: (starts) => this.write(starts),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    @Inject(Statements) private readonly statements: Statements,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(RunEvents) private readonly events: RunEvents,
    @Inject(BuildCopies) private readonly copies: BuildCopies,
    @Inject(RunDispatch) private readonly dispatch: RunDispatch,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {}

  /** Committed, and in the hands of a worker or on the way to one, when it resolves; as it was accepted: pending. */
  async start(wanted: NewRun): Promise<ShownRun> {
    const slot = this.dispatch.reserve(wanted.teamId);
    try {
      return await this.batcher.add(this.prepare(wanted, slot));
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  private prepare(wanted: NewRun, slot: RunSlot | undefined): Start {
    const digest = digestOf(wanted.found.build);
    this.copies.keep(digest, wanted.found.build);
    const run = newRunRow(wanted);
    const records = this.firstRecords(run, wanted.message, slot !== undefined);
    const token = slot ? newId() : null;
    const row = {
      ...run,
      at: run.created_at,
      searched_title: searchable(run.title),
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
    };
    const { scheduleId } = wanted;
    const taken = slot && token && { slot, run: takenRun(run, { digest, scheduleId, token, records }) };
    return { run, row, scope: wanted.keyRecord?.scope, taken: taken || undefined };
  }

  private firstRecords(run: ShownRun, message: string | null, started: boolean): RunRecords {
    const teamId = run.team_id;
    const messages: MessageRecord[] =
      message === null || message === ''
        ? []
        : [{ id: newId(), type: 'text', role: 'user', text_content: message }];
    const data = factsOf(run, { status: 'running' });
    return {
      messages,
      events: [
        ...this.events.ofMessages(run, messages),
        ...(started ? this.events.shown({ event: runStarted, teamId, data }) : []),
      ],
    };
  }

  private async write(starts: readonly Start[]): Promise<readonly BatchOutcome<ShownRun>[]> {
    const { wanted, late } = firstOfEachScope(starts);
    const rows = await this.statements.write<Written>(insertRuns, [
      JSON.stringify([...wanted].map((n) => ({ ...starts[n]!.row, n }))),
    ]);
    this.outbox.recorded();
    const made = rows.filter((row) => row.made).map(({ n }) => starts[n]!);
    // The answers go first.
    setTimeout(() => this.begin(made), 1);
    const refusals = new Map(rows.map(({ n, refused }) => [n, refused]));
    for (const { n } of rows.filter((row) => !row.made && row.refused === null))
      starts[n]!.taken?.slot.release();
    return starts.map(({ run }, n) => {
      if (late.has(n) || refusals.get(n) === 'key taken') return { ok: false, error: new KeyTaken() };
      if (refusals.get(n) === 'agent deleted') return { ok: false, error: notFound() };
      if (refusals.get(n) === 'parent ended') return { ok: false, error: parentEnded() };
      return { ok: true, value: run };
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

function parentEnded(): AppError {
  return new AppError('invalid_state', 'The run that wanted to start it has ended.');
}

function newRunRow(wanted: NewRun): ShownRun {
  const { agent_name: agentName, build } = wanted.found;
  const now = new Date();
  return {
    id: wanted.id,
    title: titleOf(wanted.message, agentName),
    agent_id: build.agent_id,
    agent_name: agentName,
    build_id: build.id,
    team_id: wanted.teamId,
    status: 'pending',
    source: wanted.source,
    // Its own sandbox bears its id: nothing has to be stored for it, and it is found by it.
    sandbox_id: wanted.sandboxId ?? wanted.id,
    user_id: wanted.userId,
    case_id: null,
    case_queue_id: null,
    human_in_the_loop_enabled: wanted.humanInTheLoop,
    metadata: wanted.metadata,
    result: null,
    error: null,
    stop_reason: null,
    steps: 0,
    tool_calls: 0,
    input_tokens: '0',
    output_tokens: '0',
    eval_summary: null,
    created_at: now,
    started_at: null,
    completed_at: null,
    updated_at: now,
  };
}

/** A new run as a claim of it would give it. */
function takenRun(
  run: ShownRun,
  more: { digest: string; scheduleId: string | null; token: string; records: RunRecords },
): ClaimedRun {
  const { messages, events } = more.records;
  return {
    ...run,
    build_digest: more.digest,
    schedule_id: more.scheduleId,
    position: 0,
    message_seq: messages.length,
    message_bytes: String(recordColumns(more.records).message_bytes),
    first: true,
    slept: false,
    event_seq: events.length,
    reopened: 0,
    limits_from_steps: 0,
    limits_from_tokens: '0',
    active_ms: '0',
    token: more.token,
    messages: messages.map((message, index) => ({
      seq: index + 1,
      type: message.type,
      role: message.role,
      text_content: message.text_content ?? null,
      tool_call: null,
      tool_result: null,
    })),
  };
}

/** Of those with the same key only the first is stored; the others will find its record. */
function firstOfEachScope(starts: readonly Start[]): { wanted: Set<number>; late: Set<number> } {
  const scopes = new Set<string>();
  const wanted = new Set<number>();
  const late = new Set<number>();
  for (const [n, { scope }] of starts.entries()) {
    if (scope !== undefined && scopes.has(scope)) {
      late.add(n);
      continue;
    }
    if (scope !== undefined) scopes.add(scope);
    wanted.add(n);
  }
  return { wanted, late };
}

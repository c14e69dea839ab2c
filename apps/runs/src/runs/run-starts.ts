import { notFound, runMessageCreated, startRun, type KeyRecord, type RunSource } from '@aos/contracts';
import {
  Batcher,
  isStoreUnavailable,
  keyRecordRow,
  KeyTaken,
  newId,
  Outbox,
  Statements,
  type BatchOutcome,
} from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { RunDispatch } from '../execution/run-dispatch.js';
import { searchable } from '../run-list/searchable.js';
import { BuildCopies, digestOf } from './build-copies.js';
import type { FoundBuild } from './live-builds.js';
import { recordColumns, type RunRecords } from './run-records.js';
import { insertRuns } from './run-starts.sql.js';
import { runAnswer, type ShownRun } from './run.mapper.js';
import { titleOf } from './run-title.js';

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
  /** The key's record, stored with the run. */
  readonly keyRecord?: KeyRecord;
}

interface Start {
  readonly run: ShownRun;
  readonly row: object;
  readonly scope: string | undefined;
}

const maxBatch = 100;

/** Stores new runs, many in one statement: the run, its first message, the event, the key's record. */
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
    @Inject(BuildCopies) private readonly copies: BuildCopies,
    @Inject(RunDispatch) private readonly dispatch: RunDispatch,
  ) {}

  /** Committed, and on its way to a worker, when it resolves. */
  start(wanted: NewRun): Promise<ShownRun> {
    return this.batcher.add(this.prepare(wanted));
  }

  private prepare(wanted: NewRun): Start {
    const { agent_name: agentName, build } = wanted.found;
    const digest = digestOf(build);
    this.copies.keep(digest, build);
    const now = new Date();
    const run: ShownRun = {
      id: wanted.id,
      title: titleOf(wanted.message, agentName),
      agent_id: build.agent_id,
      agent_name: agentName,
      build_id: build.id,
      team_id: wanted.teamId,
      status: 'pending',
      source: wanted.source,
      sandbox_id: newId(),
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
    const row = {
      ...run,
      at: now,
      searched_title: searchable(run.title),
      build_digest: digest,
      build,
      schedule_id: wanted.scheduleId,
      ...recordColumns(this.firstRecords(wanted)),
      ...keyRecordRow(startRun, wanted.keyRecord, runAnswer(run)),
    };
    return { run, row, scope: wanted.keyRecord?.scope };
  }

  private firstRecords({ id, teamId, message }: NewRun): RunRecords {
    if (message === null || message === '') return { messages: [], events: [] };
    const first = { id: newId(), type: 'text', role: 'user', text_content: message } as const;
    const data = { run_id: id, message_id: first.id, role: first.role, type: first.type };
    const event = this.outbox.toRow({ event: runMessageCreated, teamId, data });
    return { messages: [first], events: [{ ...event, shown: true }] };
  }

  private async write(starts: readonly Start[]): Promise<readonly BatchOutcome<ShownRun>[]> {
    const { wanted, late } = firstOfEachScope(starts);
    const rows = await this.statements.write<{ n: number; refused: string | null }>(insertRuns, [
      JSON.stringify([...wanted].map((n) => ({ ...starts[n]!.row, n }))),
    ]);
    const refusals = new Map(rows.map(({ n, refused }) => [n, refused]));
    const started = rows.filter(({ refused }) => refused === null).map(({ n }) => starts[n]!.run);
    this.outbox.recorded();
    this.dispatch.add(started.map(({ id }) => ({ runId: id, dispatches: 0 })));
    return starts.map(({ run }, n) => {
      if (late.has(n) || refusals.get(n) === 'key taken') return { ok: false, error: new KeyTaken() };
      if (refusals.get(n) === 'agent deleted') return { ok: false, error: notFound() };
      return { ok: true, value: run };
    });
  }
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

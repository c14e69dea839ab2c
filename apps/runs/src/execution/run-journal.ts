import { setTimeout as delay } from 'node:timers/promises';
import type { BegunCall, Entry, Journal, LoopMessage, Recorded } from '@aos/agent-runtime';
import { isStatementTimeout, isStoreUnavailable, Statements } from '@aos/persistence';
import { RunChanges, type ChangedRun, type RunChange } from '../run-core/run-changes.js';
import type { BegunCalls } from '../run-core/begun-calls.js';
import { RunDispatch } from '../run-core/run-dispatch.js';
import type { ClaimedRun } from '../run-core/run-claims.js';
import type { RunHistory } from './run-history.js';
import { RunLost } from '../run-core/lease.js';
import type { EntryWriter } from './entry-writer.js';
import { toLoopMessage } from '../run-core/loop-messages.js';
import type { ParentRuns } from '../run-core/parent-runs.js';

export interface RunJournalParts {
  readonly changes: RunChanges;
  readonly begunCalls: BegunCalls;
  readonly history: RunHistory;
  readonly statements: Statements;
  readonly dispatch: RunDispatch;
  readonly parents: ParentRuns;
  readonly writer: EntryWriter;
}

const retryMs = 250;

/** Stores the steps of one claimed run. Each is stored once, also when the answer of the database was lost. */
export class RunJournal implements Journal {
  private steps: number;
  private seenSeq: number;

  constructor(
    private readonly run: ClaimedRun,
    private readonly parts: RunJournalParts,
    private readonly signal: AbortSignal,
  ) {
    this.steps = run.steps;
    this.seenSeq = run.message_seq;
  }

  async begin(call: BegunCall & { startedAt: Date }): Promise<void> {
    const { id: runId, token } = this.run;
    const { steps } = this;
    const noted = await this.persist(() => this.parts.begunCalls.note({ runId, token, steps, ...call }));
    if (!noted) throw new RunLost(runId);
  }

  async record(entry: Entry): Promise<Recorded> {
    const change = this.parts.writer.toChange(this.run, entry, { steps: this.steps, seenSeq: this.seenSeq });
    const changed = await this.commit(change);
    if (!changed) return { stored: false, posted: await this.catchUp() };
    if (change.step) this.steps += 1;
    const posted = await this.messages(this.seenSeq, changed.message_base);
    this.seenSeq = changed.message_seq;
    if (change.requeueAfterMs !== undefined) {
      const { id: runId, team_id: teamId } = this.run;
      this.parts.dispatch.add([{ runId, teamId, delayMs: change.requeueAfterMs }]);
    }
    // What it waits for may have happened while it was stored that it waits.
    if (entry.then.kind === 'await') await this.parts.parents.wake([this.run.id]);
    return { stored: true, posted };
  }

  /** Undefined if messages came before an end. If it was stored unheard, the next try finds one step more and asks. */
  private commit(change: RunChange): Promise<ChangedRun | undefined> {
    return this.persist(async () => (await this.parts.changes.commit(change)) ?? (await this.whyNot(change)));
  }

  /** Tries until the database answers, or the run is lost. */
  private async persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (!isStoreUnavailable(error) && !isStatementTimeout(error)) throw error;
        await delay(retryMs, undefined, { signal: this.signal });
      }
    }
  }

  /** A change that was refused was made already, came after a message, or the run is lost. */
  private async whyNot(change: RunChange): Promise<ChangedRun | undefined> {
    const [row] = await this.parts.statements.read<
      ChangedRun & { steps: number; lease_token: string | null }
    >(
      `SELECT 0 AS n, id AS run_id, parent_run_id, status, message_seq, message_seq AS message_base, event_seq, dispatches,
              steps, lease_token FROM run WHERE id = $1`,
      [this.run.id],
    );
    const ours = row?.lease_token === this.run.token && row.steps === this.steps;
    if (ours && change.seenSeq !== undefined && row.message_seq > change.seenSeq) return undefined;
    const base = row && (await this.storedAt(change));
    if (base === undefined) throw new RunLost(this.run.id);
    return { ...row!, message_base: base, message_seq: base + change.messages.length };
  }

  /** Where the messages of a change begin that was stored although nobody heard of it. */
  private async storedAt({ messages, events, step }: RunChange): Promise<number | undefined> {
    if (messages[0]) {
      const [row] = await this.read<{ seq: number }>(
        'SELECT seq FROM run_message WHERE run_id = $1 AND id = $2',
        [messages[0].id],
      );
      return row && row.seq - 1;
    }
    const event = events.find(({ shown }) => shown);
    const rows = event
      ? await this.read('SELECT 1 FROM run_event WHERE run_id = $1 AND id = $2', [event.id])
      : await this.read('SELECT 1 FROM run_step WHERE run_id = $1 AND step_index = $2 AND started_at = $3', [
          this.steps + 1,
          step?.started_at,
        ]);
    return rows.length === 1 ? this.seenSeq : undefined;
  }

  private read<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.parts.statements.read<Row>(sql, [this.run.id, ...parameters]);
  }

  private async catchUp(): Promise<LoopMessage[]> {
    const [row] = await this.parts.statements.read<{ message_seq: number }>(
      'SELECT message_seq FROM run WHERE id = $1 AND lease_token = $2',
      [this.run.id, this.run.token],
    );
    if (!row) throw new RunLost(this.run.id);
    const posted = await this.messages(this.seenSeq, row.message_seq);
    this.seenSeq = row.message_seq;
    return posted;
  }

  private async messages(above: number, upTo: number): Promise<LoopMessage[]> {
    if (upTo <= above) return [];
    return (await this.parts.history.messages(this.run.id, above, upTo)).map(toLoopMessage);
  }
}

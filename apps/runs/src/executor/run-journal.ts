import { setTimeout as delay } from 'node:timers/promises';
import type { Entry, Journal, LoopMessage, Recorded, ToolCallIntent } from '@aos/agent-runtime';
import { isPassing } from '@aos/persistence';
import { type Histogram, Metrics } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { ChangedRun, RunChange } from '../run-core/changes/run-change.js';
import { ParentRuns, RunChanges } from '../run-core/changes/run-changes.js';
import { RunLost } from '../run-core/claims/lease.js';
import type { ClaimedRun } from '../run-core/claims/run-claims.js';
import { RunDispatch } from '../run-core/claims/run-dispatch.js';
import { StoredRecords, toLoopMessage } from '../run-core/records/stored-records.js';
import { ToolCallIntents } from '../run-core/records/tool-call-intents.js';
import { EntryWriter } from './entry-writer.js';
import { RunHistory } from './run-history.js';

const retryMs = 250;

/** Opens the journals of claimed runs. */
@Injectable()
export class RunJournals {
  readonly stepTimes: Histogram<'kind' | 'status'>;

  constructor(
    readonly changes: RunChanges,
    readonly intents: ToolCallIntents,
    readonly history: RunHistory,
    readonly stored: StoredRecords,
    readonly dispatch: RunDispatch,
    readonly parents: ParentRuns,
    readonly writer: EntryWriter,
    metrics: Metrics,
  ) {
    this.stepTimes = metrics.histogram({
      name: 'aos_run_step_duration_seconds',
      help: 'How long a step of a run took: a turn of its model or a call of a tool',
      labelNames: ['kind', 'status'],
    });
  }

  /** `model` is the one whose tokens the steps will name. */
  open(run: ClaimedRun, model: string, signal: AbortSignal): Journal {
    return new RunJournal(run, model, this, signal);
  }
}

/** Stores the steps of one claimed run. Each is stored once, also when the answer of the database was lost. */
class RunJournal implements Journal {
  private steps: number;
  private seenSeq: number;

  constructor(
    private readonly run: ClaimedRun,
    private readonly model: string,
    private readonly journals: RunJournals,
    private readonly signal: AbortSignal,
  ) {
    this.steps = run.steps;
    this.seenSeq = run.message_seq;
  }

  async recordIntent(call: ToolCallIntent & { startedAt: Date }): Promise<void> {
    const { id: runId, token } = this.run;
    const { steps } = this;
    const recorded = await this.persist(() => this.journals.intents.record({ runId, token, steps, ...call }));
    if (!recorded) throw new RunLost(runId);
  }

  async record(entry: Entry): Promise<Recorded> {
    const change = this.journals.writer.toChange(this.run, entry, {
      steps: this.steps,
      seenSeq: this.seenSeq,
      model: this.model,
    });
    const changed = await this.commit(change);
    if (!changed) return { stored: false, posted: await this.catchUp() };
    if (change.step) this.steps += 1;
    this.observe(entry);
    const posted = await this.messages(this.seenSeq, changed.message_base);
    this.seenSeq = changed.message_seq;
    if (change.requeueAfterMs !== undefined) {
      const { id: runId, team_id: teamId } = this.run;
      this.journals.dispatch.add([{ runId, teamId, delayMs: change.requeueAfterMs }]);
    }
    // What it waits for may have happened while it was stored that it waits.
    if (entry.then.kind === 'await') await this.journals.parents.wake([this.run.id]);
    return { stored: true, posted };
  }

  private observe({ step }: Entry): void {
    if (!step?.completedAt) return;
    const { kind, status, startedAt, completedAt } = step;
    this.journals.stepTimes.observe({ kind, status }, (completedAt.getTime() - startedAt.getTime()) / 1_000);
  }

  /** Undefined if messages came before an end. If it was stored unheard, the next try finds one step more and asks. */
  private commit(change: RunChange): Promise<ChangedRun | undefined> {
    return this.persist(
      async () => (await this.journals.changes.commit(change)) ?? (await this.explainRejection(change)),
    );
  }

  /** Tries until the database answers, or the run is lost. */
  private async persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error)) throw error;
        await delay(retryMs, undefined, { signal: this.signal });
      }
    }
  }

  /** A change that was refused was made already, came after a message, or the run is lost. */
  private async explainRejection(change: RunChange): Promise<ChangedRun | undefined> {
    const row = await this.journals.stored.run(this.run.id);
    const ours = row?.lease_token === this.run.token && row.steps === this.steps;
    if (ours && change.seenSeq !== undefined && row.message_seq > change.seenSeq) return undefined;
    const base = row && (await this.storedAt(change));
    if (base === undefined) throw new RunLost(this.run.id);
    return { ...row!, message_base: base, message_seq: base + change.messages.length };
  }

  /** Where the messages of a change begin that was stored although the worker got no answer. */
  private async storedAt({ messages, events, step }: RunChange): Promise<number | undefined> {
    const { stored } = this.journals;
    const { id: runId } = this.run;
    if (messages[0]) {
      const seq = await stored.messageNumber(runId, messages[0].id);
      return seq === undefined ? undefined : seq - 1;
    }
    const event = events.find(({ isPublic }) => isPublic);
    const found = event
      ? await stored.hasEvent(runId, event.id)
      : await stored.hasStep(runId, this.steps + 1, step?.started_at);
    return found ? this.seenSeq : undefined;
  }

  private async catchUp(): Promise<LoopMessage[]> {
    const latest = await this.journals.stored.latestMessage(this.run.id, this.run.token);
    if (latest === undefined) throw new RunLost(this.run.id);
    const posted = await this.messages(this.seenSeq, latest);
    this.seenSeq = latest;
    return posted;
  }

  private async messages(above: number, upTo: number): Promise<LoopMessage[]> {
    if (upTo <= above) return [];
    return (await this.journals.history.messages(this.run.id, above, upTo)).map(toLoopMessage);
  }
}

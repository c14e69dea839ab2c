import type { BegunCall, RunState } from '@aos/agent-runtime';
import { runProgress, runStarted, type RunMessage } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Batcher, isStoreUnavailable, newId, Outbox, Statements, type BatchOutcome } from '@aos/persistence';
import { currentContext } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import type { RunEntity } from '../runs/run.entity.js';
import { claimRuns } from './run-claims.sql.js';

/** A run in the hands of a worker, as its last stored step left it. */
export interface ClaimedRun extends Pick<
  RunEntity,
  | 'id'
  | 'team_id'
  | 'agent_id'
  | 'build_id'
  | 'build_digest'
  | 'sandbox_id'
  | 'source'
  | 'case_id'
  | 'schedule_id'
  | 'human_in_the_loop_enabled'
  | 'steps'
  | 'position'
  | 'message_seq'
  | 'event_seq'
  | 'reopened'
  | 'limits_from_steps'
  | 'limits_from_tokens'
  | 'input_tokens'
  | 'output_tokens'
  | 'active_ms'
> {
  readonly token: string;
  readonly messages: readonly StoredMessage[];
  /** The tool call that was noted as begun and has no result. */
  readonly begun?: RunState['begun'];
}

type ClaimedRow = ClaimedRun & { readonly n: number; readonly first: boolean; readonly slept: boolean };

export type StoredMessage = Pick<RunMessage, 'seq' | 'type' | 'role'> & {
  readonly text_content: string | null;
  readonly tool_call: RunMessage['tool_call'] | null;
  readonly tool_result: RunMessage['tool_result'] | null;
};

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
    @Inject(Statements) private readonly statements: Statements,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {}

  /** Undefined if there is nothing to do: it has ended, waits, sleeps, or another worker has it. */
  claim(runId: string): Promise<ClaimedRun | undefined> {
    return this.batcher.add(runId);
  }

  private async claimBatch(
    runIds: readonly string[],
  ): Promise<readonly BatchOutcome<ClaimedRun | undefined>[]> {
    const at = new Date();
    const traceparent = currentContext()?.traceparent;
    const input = runIds.map((runId, n) => ({
      n,
      at,
      run_id: runId,
      token: newId(),
      event_id: newId(),
      meta: { traceparent },
    }));
    const rows = await this.statements.write<ClaimedRow>(claimRuns, [
      JSON.stringify(input),
      this.settings.RUN_LEASE_MS,
      runStarted.name,
    ]);
    const started = rows.filter(({ first }) => first);
    if (started.length > 0) this.outbox.recorded();
    this.broadcasts.sendSoon(
      runProgress,
      started.map(({ id, event_seq: seq }) => ({ run_id: id, seq, status: 'running' })),
    );
    const byPlace = new Map(rows.map((row) => [row.n, row]));
    return Promise.all(
      runIds.map(async (_, n) => ({ ok: true, value: await this.complete(byPlace.get(n)) }) as const),
    );
  }

  /** What was stored while the statement waited for its run, it has not seen. */
  private async complete(run: ClaimedRow | undefined): Promise<ClaimedRun | undefined> {
    if (!run || run.first) return run && this.withAllMessages(run);
    const [whole, begun] = await Promise.all([this.withAllMessages(run), this.begunCall(run)]);
    return { ...whole, begun };
  }

  /** A message that came meanwhile is in the number, but not in the list. */
  private async withAllMessages(run: ClaimedRun): Promise<ClaimedRun> {
    if (run.messages.length === run.message_seq) return run;
    return { ...run, messages: await this.messages(run.id, 0, run.message_seq) };
  }

  private async begunCall({ id, steps, slept }: ClaimedRow): Promise<RunState['begun']> {
    const [row] = await this.statements.read<BegunCall>(
      `SELECT name, attempts FROM run_step WHERE run_id = $1 AND step_index = $2 AND status = 'running'`,
      [id, steps + 1],
    );
    return row && { ...row, awaited: slept };
  }

  /** The messages with numbers above the first and up to the second. */
  async messages(runId: string, above: number, upTo: number): Promise<StoredMessage[]> {
    return this.statements.read<StoredMessage>(
      `SELECT seq, type, role, text_content, tool_call, tool_result FROM run_message
        WHERE run_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`,
      [runId, above, upTo],
    );
  }
}

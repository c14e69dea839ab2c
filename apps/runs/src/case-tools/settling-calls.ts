import { Batcher, type BatchOutcome } from '@aos/background';
import { Outbox } from '@aos/events';
import { isStoreUnavailable, newId, PreparedStatements } from '@aos/persistence';
import { recordedTraceparent } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { CallContext } from './case-calls.js';
import { settleCalls } from './case-tools.sql.js';

export interface SettledCase {
  readonly case_id: string;
  readonly status: 'completed' | 'failed';
}

interface SettlingCall {
  readonly run_id: string;
  readonly call_id: string;
  readonly token: string;
  readonly to_status: SettledCase['status'];
  readonly reason: string | null;
  readonly event_id: string;
  readonly outbox_id: string;
  readonly meta: object;
}

const maxBatch = 100;

/** Settles the cases of runs whose workers call for it at the same time, in one statement. */
@Injectable()
export class SettlingCalls {
  private readonly batcher = new Batcher<SettlingCall, SettledCase | undefined>({
    maxSize: maxBatch,
    run: (calls) => this.write(calls),
    tryAlone: (error) => !isStoreUnavailable(error),
  });

  constructor(
    private readonly statements: PreparedStatements,
    private readonly outbox: Outbox,
  ) {}

  /** Undefined if something is in its way; what that is, is not told. */
  settle(
    { runId, callId, fence }: CallContext,
    status: SettledCase['status'],
    reason: string | null,
  ): Promise<SettledCase | undefined> {
    return this.batcher.add({
      run_id: runId,
      call_id: callId,
      token: fence,
      to_status: status,
      reason,
      event_id: newId(),
      outbox_id: newId(),
      meta: { traceparent: recordedTraceparent() },
    });
  }

  private async write(
    calls: readonly SettlingCall[],
  ): Promise<readonly BatchOutcome<SettledCase | undefined>[]> {
    const input = JSON.stringify(calls.map((call, n) => ({ n, ...call })));
    const rows = await this.statements.write<SettledCase & { readonly n: number }>(settleCalls, [input]);
    if (rows.length > 0) this.outbox.recorded();
    const byPlace = new Map(rows.map(({ n, ...settled }) => [n, settled]));
    return calls.map((_, n) => ({ ok: true, value: byPlace.get(n) }));
  }
}

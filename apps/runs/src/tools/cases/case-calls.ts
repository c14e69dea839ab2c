import type { ToolContext } from '@aos/agent-runtime';
import { Batcher, type BatchOutcome } from '@aos/background';
import { Outbox } from '@aos/events';
import { isStoreUnavailable, newId, PreparedStatements, Transactions } from '@aos/persistence';
import { recordedTraceparent } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { RunLost } from '../../run-core/claims/lease.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { lockCall, noteCall, settleCalls } from './case-tools.sql.js';

/** The outcome of a call, stored with its effect: a repeated call returns it without effect. */
@Entity('case_call')
export class CaseCallEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @PrimaryColumn('text')
  call_id!: string;

  @Column('jsonb')
  result!: object;
}

export type CallingRun = Pick<RunEntity, 'id' | 'team_id' | 'agent_id' | 'agent_name' | 'case_id'>;

interface LockedCall extends CallingRun {
  readonly made: unknown;
}

export type CallContext = Pick<ToolContext, 'runId' | 'callId' | 'fence'>;

/** Makes the effect of a tool call happen once: what came of it is stored with it, and is the answer when it is made again. */
@Injectable()
export class CaseCalls {
  constructor(private readonly transactions: Transactions) {}

  /** In one transaction, in which the run is still the worker's. */
  once<T extends object>(
    { runId, callId, fence }: CallContext,
    work: (run: CallingRun) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(async () => {
      const { made, ...run } = await this.lock(runId, callId, fence);
      if (made !== null) return made as T;
      const result = await work(run);
      await this.transactions.query(noteCall, [runId, callId, JSON.stringify(result)]);
      return result;
    });
  }

  /** The run, if it is still the worker's, and what came of the call if it was made before. */
  private async lock(runId: string, callId: string, token: string): Promise<LockedCall> {
    const [locked] = await this.transactions.query<LockedCall>(lockCall, [runId, callId, token]);
    if (!locked) throw new RunLost(runId);
    return locked;
  }
}

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

import type { ToolContext } from '@aos/agent-runtime';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunLost } from '../../run-core/claims/lease.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { lockCall, noteCall } from './case-tools.sql.js';

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

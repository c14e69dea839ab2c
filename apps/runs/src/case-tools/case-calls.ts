import type { ToolContext } from '@aos/agent-runtime';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunLost } from '../run-core/lease.js';
import type { RunEntity } from '../run-core/run.entity.js';
import { CaseCallEntity } from './case-call.entity.js';
import { lockCallingRun, noteCall } from './case-tools.sql.js';

export type CallingRun = Pick<RunEntity, 'id' | 'team_id' | 'agent_id' | 'agent_name' | 'case_id'>;

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
      const run = await this.lock(runId, fence);
      const made = await this.transactions
        .repository(CaseCallEntity)
        .findOneBy({ run_id: runId, call_id: callId });
      if (made) return made.result as T;
      const result = await work(run);
      await this.transactions.query(noteCall, [runId, callId, JSON.stringify(result)]);
      return result;
    });
  }

  private async lock(runId: string, token: string): Promise<CallingRun> {
    const [run] = await this.transactions.query<CallingRun>(lockCallingRun, [runId, token]);
    if (!run) throw new RunLost(runId);
    return run;
  }
}

import type { CaseEventType, CaseStatus, RunStopReason } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunStops } from '../run-stops/run-stops.js';
import { CasesRepository, type CaseCause, type TouchedCase } from './cases.repository.js';
import { ReadyQueues } from './ready-queues.js';

/** What was done to cases of a queue. */
export interface MovedCases {
  readonly touched: readonly string[];
  readonly interruptedRunIds: readonly string[];
}

/** Settles, resets and deletes cases, and stops the runs that work on them, in the open transaction. */
@Injectable()
export class CaseMoves {
  constructor(
    private readonly cases: CasesRepository,
    private readonly stops: RunStops,
    private readonly ready: ReadyQueues,
    private readonly transactions: Transactions,
  ) {}

  /** What is so already is left alone. */
  async move(
    teamId: string,
    queueId: string,
    ids: readonly string[],
    status: CaseStatus,
    cause: CaseCause,
  ): Promise<MovedCases> {
    await this.cases.lockRuns(queueId, ids);
    const type: CaseEventType = status === 'pending' ? 'reprocessed' : status;
    const touched = await this.cases.move(queueId, ids, { status, type }, cause);
    this.wake(queueId);
    return this.interrupt(teamId, touched, status === 'pending' ? 'case_reset' : 'case_settled');
  }

  async delete(teamId: string, queueId: string, ids: readonly string[]): Promise<MovedCases> {
    await this.cases.lockRuns(queueId, ids);
    return this.interrupt(teamId, await this.cases.delete(queueId, ids), 'case_deleted');
  }

  wake(queueId: string): void {
    this.transactions.afterCommit(() => this.ready.wake(queueId));
  }

  private async interrupt(
    teamId: string,
    touched: readonly TouchedCase[],
    reason: RunStopReason,
  ): Promise<MovedCases> {
    const interruptedRunIds: string[] = [];
    for (const runId of touched.flatMap(({ run_id: id }) => id ?? []).sort()) {
      const { stopped } = await this.stops.stop(teamId, runId, reason);
      if (stopped) interruptedRunIds.push(runId);
    }
    return { touched: touched.map(({ id }) => id), interruptedRunIds };
  }
}

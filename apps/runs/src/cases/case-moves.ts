import {
  AppError,
  cancelsApprovals,
  type CaseEventType,
  type CaseStatus,
  grants,
  type Principal,
  type RunStopReason,
} from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunStops } from '../lifecycle/run-stops/run-stops.js';
import { actorOf } from './case.mapper.js';
import { CasesRepository, type TouchedCase } from './cases.repository.js';
import { heldCases } from './cases.sql.js';
import { ReadyQueues } from './queues/queues.repository.js';

export interface MovedCases {
  readonly touched: readonly string[];
  readonly interruptedRunIds: readonly string[];
}

/** The caller that moves or deletes cases, and the reason. */
export interface CaseMover {
  readonly principal: Principal;
  readonly reason?: string;
  /** The agent that the cases are for, where they become pending; any if none is named. */
  readonly agentId?: string;
  /** Leaves cases alone whose runs wait for an approval that the principal may not cancel; else they are refused. */
  readonly skipsHeld?: boolean;
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

  /** No-op if already in that status. */
  async move(
    teamId: string,
    queueId: string,
    ids: readonly string[],
    status: CaseStatus,
    mover: CaseMover,
  ): Promise<MovedCases> {
    const free = await this.lock(teamId, queueId, ids, mover);
    const type: CaseEventType = status === 'pending' ? 'reprocessed' : status;
    const cause = { actor: actorOf(mover.principal), reason: mover.reason };
    const touched = await this.cases.move(queueId, free, { status, type, agentId: mover.agentId }, cause);
    this.wake(queueId);
    return this.interrupt(teamId, touched, status === 'pending' ? 'case_reset' : 'case_settled', mover);
  }

  async delete(
    teamId: string,
    queueId: string,
    ids: readonly string[],
    mover: CaseMover,
  ): Promise<MovedCases> {
    const free = await this.lock(teamId, queueId, ids, mover);
    return this.interrupt(teamId, await this.cases.delete(queueId, free), 'case_deleted', mover);
  }

  wake(queueId: string): void {
    this.transactions.afterCommit(() => this.ready.wake(queueId));
  }

  /** Refuses if runs of these cases, or of any in the queue, wait for an approval that the principal may not cancel. */
  async assertNoneHeld(teamId: string, queueId: string, principal: Principal, ids?: readonly string[]) {
    const [held] = await this.held(teamId, queueId, principal, ids);
    if (held === undefined) return;
    throw new AppError(
      'insufficient_scope',
      `The run of case ${held} waits for an approval. Cancelling an approval needs the scope ${cancelsApprovals}.`,
    );
  }

  /** Locks the runs of the cases, and gives those that may be changed. */
  private async lock(
    teamId: string,
    queueId: string,
    ids: readonly string[],
    { principal, skipsHeld = false }: CaseMover,
  ): Promise<readonly string[]> {
    await this.cases.lockRuns(queueId, ids);
    if (!skipsHeld) {
      await this.assertNoneHeld(teamId, queueId, principal, ids);
      return ids;
    }
    const held = new Set(await this.held(teamId, queueId, principal, ids));
    return ids.filter((id) => !held.has(id));
  }

  private async held(
    teamId: string,
    queueId: string,
    { scopes }: Principal,
    ids?: readonly string[],
  ): Promise<string[]> {
    if (grants(scopes, cancelsApprovals)) return [];
    const rows = await this.transactions.query<{ id: string }>(heldCases, [teamId, queueId, ids ?? null]);
    return rows.map(({ id }) => id);
  }

  private async interrupt(
    teamId: string,
    touched: readonly TouchedCase[],
    reason: RunStopReason,
    { principal }: CaseMover,
  ): Promise<MovedCases> {
    const interruptedRunIds: string[] = [];
    for (const runId of touched.flatMap(({ run_id: id }) => id ?? []).sort()) {
      const { stopped } = await this.stops.stop(teamId, runId, reason, principal);
      if (stopped) interruptedRunIds.push(runId);
    }
    return { touched: touched.map(({ id }) => id), interruptedRunIds };
  }
}

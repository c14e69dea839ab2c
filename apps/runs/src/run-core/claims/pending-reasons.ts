import { Injectable } from '@nestjs/common';
import { Transactions } from '@aos/persistence';
import { countRunning } from './run-claims.sql.js';
import type { PublicRun } from '../run.mapper.js';
import { TeamLimits } from './team-limits.js';

/** Says of pending runs why they have not begun. */
@Injectable()
export class PendingReasons {
  constructor(
    private readonly limits: TeamLimits,
    private readonly transactions: Transactions,
  ) {}

  /** The runs of a team; those that wait for its limit say so. */
  async explain<R extends PublicRun>(teamId: string, runs: readonly R[]): Promise<R[]> {
    if (!runs.some(waitsInTurn) || !(await this.isFull(teamId))) return [...runs];
    return runs.map((run) => (waitsInTurn(run) ? { ...run, pending_reason: 'concurrency_limit' } : run));
  }

  private async isFull(teamId: string): Promise<boolean> {
    const limit = await this.limits.of(teamId);
    if (!limit || limit.concurrentRuns === null) return false;
    const [row] = await this.transactions.query<{ running: number }>(countRunning, [teamId]);
    return row!.running >= limit.concurrentRuns;
  }
}

/** A sub-run works in the place of the run that waits for it. */
function waitsInTurn({ status, source }: PublicRun): boolean {
  return status === 'pending' && source !== 'agent';
}

import { notFound, type Run } from '@aos/contracts';
import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { PendingReasons } from '../run-core/claims/pending-reasons.js';
import type { FoundRun } from '../run-core/runs.repository.js';
import type { FirstEnd } from './first-end.sql.js';
import { selectAsTask, selectDetails } from './run-statements.sql.js';

/** A run, and how it was judged. */
export type DetailedRun = FoundRun & Pick<Run, 'eval_summary' | 'postponed_to'>;

/** Runs as their callers see them: with what other features know of them, in one statement. */
@Injectable()
export class RunDetailsRepository {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly pending: PendingReasons,
  ) {}

  async get(teamId: string, runId: string): Promise<DetailedRun> {
    const [row] = await this.statements.read<DetailedRun>(selectDetails, [teamId, runId]);
    if (!row) throw notFound('The run');
    const [run] = await this.pending.explain(teamId, [row]);
    return run!;
  }

  async getAsTask(teamId: string, runId: string): Promise<DetailedRun & { first_end: FirstEnd | null }> {
    const [row] = await this.statements.read<DetailedRun & { first_end: FirstEnd | null }>(selectAsTask, [
      teamId,
      runId,
    ]);
    if (!row) throw notFound('The run');
    return row;
  }

  /** A run under the agent that the path names; any other agent's is not found. */
  async getOfAgent(teamId: string, agentId: string, runId: string): Promise<DetailedRun> {
    const run = await this.get(teamId, runId);
    if (run.agent_id !== agentId) throw notFound('The run');
    return run;
  }
}

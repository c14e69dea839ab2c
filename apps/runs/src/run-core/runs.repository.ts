import { notFound } from '@aos/contracts';
import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { lockRun, openSubRuns, runExists, selectRun } from './changes/run-changes.sql.js';
import type { foundColumns } from './run-columns.js';
import { openStatuses } from './run-state.js';
import type { RunEntity } from './run.entity.js';

export type FoundRun = Pick<RunEntity, (typeof foundColumns)[number]>;

@Injectable()
export class RunsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  async get(teamId: string, runId: string): Promise<FoundRun> {
    const [row] = await this.statements.read<FoundRun>(selectRun(), [teamId, runId]);
    if (!row) throw notFound('The run');
    return row;
  }

  async exists(teamId: string, runId: string): Promise<boolean> {
    const rows = await this.statements.read(runExists, [teamId, runId]);
    return rows.length === 1;
  }

  /** A run under the agent that the path names; any other agent's is not found. */
  async getOfAgent(teamId: string, agentId: string, runId: string): Promise<FoundRun> {
    const run = await this.get(teamId, runId);
    if (run.agent_id !== agentId) throw notFound('The run');
    return run;
  }

  /** For a change of it in a transaction: one at a time. */
  async lock(teamId: string, runId: string): Promise<RunEntity> {
    const [row] = await this.transactions.query<RunEntity>(lockRun, [teamId, runId]);
    if (!row) throw notFound('The run');
    return row;
  }

  /** In the transaction that ends their parent. */
  async openSubRuns(teamId: string, parentRunId: string): Promise<string[]> {
    const rows = await this.transactions.query<{ id: string }>(openSubRuns, [
      teamId,
      parentRunId,
      openStatuses,
    ]);
    return rows.map(({ id }) => id);
  }
}

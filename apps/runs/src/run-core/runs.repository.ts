import { notFound } from '@aos/contracts';
import { Statements, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { evalSummary } from '../evaluations/eval-summary.js';
import type { RunEntity } from './run.entity.js';
import { shownColumns, type ShownRun } from './run.mapper.js';

const shown = shownColumns.join(', ');

/** What reading a run beside its shown fields gives. */
export type FoundRun = ShownRun & Pick<RunEntity, 'build_digest' | 'message_seq' | 'event_seq'>;

@Injectable()
export class RunsRepository {
  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(Statements) private readonly statements: Statements,
  ) {}

  async get(teamId: string, runId: string): Promise<FoundRun> {
    const [row] = await this.statements.read<FoundRun>(
      `SELECT ${shown}, ${evalSummary}, build_digest, message_seq, event_seq FROM run WHERE id = $2 AND team_id = $1`,
      [teamId, runId],
    );
    if (!row) throw notFound('The run');
    return row;
  }

  async exists(teamId: string, runId: string): Promise<boolean> {
    const rows = await this.statements.read('SELECT 1 FROM run WHERE id = $2 AND team_id = $1', [
      teamId,
      runId,
    ]);
    return rows.length === 1;
  }

  /** A run under the agent that the path names; any other agent's is not found. */
  async getOfAgent(teamId: string, agentId: string, runId: string): Promise<FoundRun> {
    const run = await this.get(teamId, runId);
    if (run.agent_id !== agentId) throw notFound('The run');
    return run;
  }

  /** For whoever changes it in a transaction: one at a time. */
  async lock(teamId: string, runId: string): Promise<RunEntity> {
    const [row] = await this.transactions.query<RunEntity>(
      'SELECT * FROM run WHERE id = $2 AND team_id = $1 FOR UPDATE',
      [teamId, runId],
    );
    if (!row) throw notFound('The run');
    return row;
  }
}

import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { openStatuses } from '../run-core/run-state.js';
import type { RunEntity } from '../run-core/run.entity.js';

export type SubRun = Pick<RunEntity, 'id' | 'status' | 'result' | 'error'>;

/** What a sub-run takes over from the run that starts it. */
export type ParentRun = Pick<
  RunEntity,
  'id' | 'depth' | 'user_id' | 'human_in_the_loop_enabled' | 'build_digest'
>;

const open = openStatuses.map((status) => `'${status}'`).join(', ');

@Injectable()
export class SubRunsRepository {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
  ) {}

  /** The run that a call has started, if it has. */
  async find(teamId: string, parentRunId: string, callId: string): Promise<SubRun | undefined> {
    const [row] = await this.statements.read<SubRun>(
      `SELECT id, status, result, error FROM run
        WHERE parent_run_id = $2 AND parent_call_id = $3 AND team_id = $1`,
      [teamId, parentRunId, callId],
    );
    return row;
  }

  async parent(teamId: string, runId: string): Promise<ParentRun> {
    const [row] = await this.statements.read<ParentRun>(
      `SELECT id, depth, user_id, human_in_the_loop_enabled, build_digest FROM run
        WHERE id = $2 AND team_id = $1`,
      [teamId, runId],
    );
    return row!;
  }

  /** Those whose parent has failed, or was stopped, without them. */
  async left(limit: number, except: readonly string[]): Promise<Pick<RunEntity, 'id' | 'team_id'>[]> {
    return this.transactions.query(
      `SELECT run.id, run.team_id FROM run JOIN run AS parent ON parent.id = run.parent_run_id
        WHERE run.parent_run_id IS NOT NULL AND run.status IN (${open})
          AND parent.status IN ('failed', 'stopped') AND run.id <> ALL ($2::uuid[])
        LIMIT $1`,
      [limit, except],
    );
  }
}

import { PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunEntity } from '../../run-core/run.entity.js';
import { findParent, findSubRun, leftSubRuns } from './sub-runs.sql.js';

export type SubRun = Pick<RunEntity, 'id' | 'status' | 'result' | 'error'>;

/** What a sub-run takes over from the run that starts it. */
export type ParentRun = Pick<
  RunEntity,
  'id' | 'depth' | 'user_id' | 'human_in_the_loop_enabled' | 'build_digest'
>;

@Injectable()
export class SubRunsRepository {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
  ) {}

  /** The run that a call has started, if it has. */
  async find(teamId: string, parentRunId: string, callId: string): Promise<SubRun | undefined> {
    const [row] = await this.statements.read<SubRun>(findSubRun, [teamId, parentRunId, callId]);
    return row;
  }

  async parent(teamId: string, runId: string): Promise<ParentRun> {
    const [row] = await this.statements.read<ParentRun>(findParent, [teamId, runId]);
    return row!;
  }

  /** Those whose parent has failed, or was stopped, without them. */
  async left(limit: number, except: readonly string[]): Promise<Pick<RunEntity, 'id' | 'team_id'>[]> {
    return this.transactions.query(leftSubRuns, [limit, except]);
  }
}

import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunEvaluationEntity } from './run-evaluation.entity.js';

export type PublicEvaluation = Pick<
  RunEvaluationEntity,
  'id' | 'run_id' | 'created_at' | 'status' | 'passed' | 'total' | 'results'
>;

@Injectable()
export class EvaluationsRepository {
  constructor(private readonly statements: PreparedStatements) {}

  async ofRun(teamId: string, runId: string): Promise<PublicEvaluation | undefined> {
    const [row] = await this.statements.read<PublicEvaluation>(
      `SELECT id, run_id, created_at, status, passed, total, results FROM run_evaluation
        WHERE run_id = $2 AND team_id = $1`,
      [teamId, runId],
    );
    return row;
  }
}

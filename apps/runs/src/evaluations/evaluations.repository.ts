import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunEvaluationEntity } from './run-evaluation.entity.js';

export type PublicEvaluation = Pick<
  RunEvaluationEntity,
  'id' | 'run_id' | 'created_at' | 'status' | 'passed' | 'total' | 'results'
>;

@Injectable()
export class EvaluationsRepository {
  constructor(private readonly transactions: Transactions) {}

  async ofRun(teamId: string, runId: string): Promise<PublicEvaluation | undefined> {
    const row = await this.transactions
      .repository(RunEvaluationEntity)
      .findOneBy({ run_id: runId, team_id: teamId });
    return row ?? undefined;
  }
}

import type { Evaluation, RubricResult } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunsRepository } from '../run-core/runs.repository.js';
import { RunEvaluationEntity, type StoredResult } from './run-evaluation.entity.js';

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

/** During a new evaluation the results of the previous end no longer apply. */
export function toEvaluation(row: PublicEvaluation): Evaluation {
  const isJudged = row.status !== 'in_progress';
  return {
    id: row.id,
    run_id: row.run_id,
    created_at: row.created_at.toISOString(),
    status: row.status,
    passed: isJudged ? row.passed : 0,
    total: isJudged ? row.total : 0,
    results: isJudged ? row.results.map(toResult) : [],
  };
}

function toResult({ rubric_id, key, title, version, passed, severity, comment }: StoredResult): RubricResult {
  return { rubric_id, key, title, version, passed, severity, comment };
}

/** How single runs were judged. */
@Injectable()
export class EvaluationsService {
  constructor(
    private readonly evaluations: EvaluationsRepository,
    private readonly runs: RunsRepository,
  ) {}

  /** Refused as not found unless the agent owns the run. */
  async get(teamId: string, agentId: string, runId: string): Promise<Evaluation | null> {
    await this.runs.getOfAgent(teamId, agentId, runId);
    return this.ofRun(teamId, runId);
  }

  /** Null for a run that has not ended, or was stopped. */
  async ofRun(teamId: string, runId: string): Promise<Evaluation | null> {
    const row = await this.evaluations.ofRun(teamId, runId);
    return row ? toEvaluation(row) : null;
  }
}

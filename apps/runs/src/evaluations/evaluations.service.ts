import type { Evaluation } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { RunsRepository } from '../run-core/runs.repository.js';
import { toEvaluation } from './evaluation.mapper.js';
import { EvaluationsRepository } from './evaluations.repository.js';

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

import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { RunStepEntity } from '../../run-core/records/run-step.entity.js';
import { RunEntity } from '../../run-core/run.entity.js';
import type { ReportedRun } from './report.js';

export interface RunWithSteps {
  readonly run: ReportedRun;
  readonly steps: readonly RunStepEntity[];
}

@Injectable()
export class ReportsRepository {
  constructor(private readonly transactions: Transactions) {}

  async find(teamId: string, agentId: string, runId: string): Promise<RunWithSteps | undefined> {
    const run = await this.transactions.repository(RunEntity).findOne({
      select: {
        id: true,
        agent_id: true,
        build_id: true,
        status: true,
        started_at: true,
        completed_at: true,
      },
      where: { id: runId, agent_id: agentId, team_id: teamId },
    });
    if (!run) return undefined;
    const steps = await this.transactions
      .repository(RunStepEntity)
      .find({ where: { run_id: run.id }, order: { step_index: 'ASC' } });
    return { run, steps };
  }
}

import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { ReportedRun } from './report.js';
import type { RunStepEntity } from '../run-core/run-step.entity.js';

export interface RunWithSteps {
  readonly run: ReportedRun;
  readonly steps: readonly RunStepEntity[];
}

@Injectable()
export class ReportsRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async find(teamId: string, agentId: string, runId: string): Promise<RunWithSteps | undefined> {
    const [run] = await this.transactions.query<ReportedRun>(
      `SELECT id, agent_id, build_id, status, started_at, completed_at FROM run
        WHERE id = $3 AND agent_id = $2 AND team_id = $1`,
      [teamId, agentId, runId],
    );
    if (!run) return undefined;
    const steps = await this.transactions.query<RunStepEntity>(
      'SELECT * FROM run_step WHERE run_id = $1 ORDER BY step_index',
      [run.id],
    );
    return { run, steps };
  }
}

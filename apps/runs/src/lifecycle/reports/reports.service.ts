import { getWorkflowExecutionReport, notFound, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Controller, Injectable } from '@nestjs/common';
import { RunStepEntity } from '../../run-core/records/run-records.entities.js';
import { RunEntity } from '../../run-core/run.entity.js';
import { type ReportedRun, reportOf, type RunReport } from './report.js';

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

@Injectable()
export class ReportsService {
  constructor(private readonly reports: ReportsRepository) {}

  async report(teamId: string, agentId: string, runId: string): Promise<RunReport> {
    const found = await this.reports.find(teamId, agentId, runId);
    if (!found) throw notFound();
    return reportOf(found.run, found.steps, new Date());
  }
}

@Controller()
export class ReportsHandlers {
  constructor(private readonly reports: ReportsService) {}

  @Handles(getWorkflowExecutionReport)
  async getWorkflowExecutionReport({
    teamId,
    params,
  }: Req<typeof getWorkflowExecutionReport>): Promise<RunReport> {
    return this.reports.report(teamId, params.agentId, params.runId);
  }
}

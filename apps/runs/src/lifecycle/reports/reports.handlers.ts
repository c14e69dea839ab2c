import { getWorkflowExecutionReport, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import type { RunReport } from './report.js';
import { ReportsService } from './reports.service.js';

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

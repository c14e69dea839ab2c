import { getWorkflowExecutionReport, type OperationRequest } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import type { RunReport } from './report.js';
import { ReportsService } from './reports.service.js';

@Controller()
export class ReportsHandlers {
  constructor(@Inject(ReportsService) private readonly reports: ReportsService) {}

  @Handles(getWorkflowExecutionReport)
  async getWorkflowExecutionReport({
    teamId,
    params,
  }: OperationRequest<typeof getWorkflowExecutionReport>): Promise<RunReport> {
    return this.reports.report(teamId, params.agentId, params.runId);
  }
}

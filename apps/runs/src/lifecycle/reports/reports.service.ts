import { notFound } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { reportOf, type RunReport } from './report.js';
import { ReportsRepository } from './reports.repository.js';

@Injectable()
export class ReportsService {
  constructor(private readonly reports: ReportsRepository) {}

  async report(teamId: string, agentId: string, runId: string): Promise<RunReport> {
    const found = await this.reports.find(teamId, agentId, runId);
    if (!found) throw notFound();
    return reportOf(found.run, found.steps, new Date());
  }
}

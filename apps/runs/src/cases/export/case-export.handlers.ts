import { continueCaseExport, exportCases, type Req } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { CaseExport } from './case-export.service.js';

@Controller()
export class CaseExportHandlers {
  constructor(private readonly exports: CaseExport) {}

  @Handles(exportCases)
  exportCases({ teamId, params, query }: Req<typeof exportCases>) {
    const { format, search, ...filters } = query;
    const request = { queue_id: params.queue_id, format, filters, search };
    return this.exports.begin(teamId, request);
  }

  @HandlesInternal(continueCaseExport)
  continueCaseExport({ team_id, state }: Req<typeof continueCaseExport>) {
    return this.exports.goOn(team_id, state);
  }
}

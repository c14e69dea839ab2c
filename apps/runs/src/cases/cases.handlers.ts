import {
  createCases,
  deleteCase,
  getCase,
  listCaseRuns,
  listCases,
  searchCases,
  updateCase,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { actorOf, toCase, toCaseEvent } from './case.mapper.js';
import { CasesRepository } from './cases.repository.js';
import { QueuesRepository } from './queues/queues.repository.js';
import { toRun } from '../run-core/run.mapper.js';
import { RunListService } from '../lifecycle/run-list/run-list.service.js';
import { caseFilterOf } from './case-filter.js';
import { CaseList } from './case-list.js';
import { CasesService } from './cases.service.js';

@Controller()
export class CasesHandlers {
  constructor(
    private readonly service: CasesService,
    private readonly list: CaseList,
    private readonly queues: QueuesRepository,
    private readonly cases: CasesRepository,
    private readonly runList: RunListService,
  ) {}

  @Handles(listCases)
  async listCases({ teamId, params, query }: Req<typeof listCases>) {
    const { id } = await this.queues.get(teamId, params.queue_id);
    const { search, sort_by: by, sort_order: direction, limit, offset, ...filters } = query;
    const filter = caseFilterOf(id, filters, search);
    return listAnswer('cases', await this.list.page(filter, { by, direction }, { limit, offset }), toCase);
  }

  @Handles(searchCases)
  async searchCases({ teamId, params, body }: Req<typeof searchCases>) {
    const { id } = await this.queues.get(teamId, params.queue_id);
    const { filters, search, sort_by: by, sort_order: direction, limit, offset } = body;
    const filter = caseFilterOf(id, filters, search);
    return listAnswer('cases', await this.list.page(filter, { by, direction }, { limit, offset }), toCase);
  }

  @Handles(createCases)
  async createCases({ teamId, principal, params, body }: Req<typeof createCases>) {
    const wanted = body.cases ?? [body.case!];
    const made = await this.service.create(teamId, params.queue_id, wanted, actorOf(principal));
    return { added_cases: made.map(toCase) };
  }

  @Handles(getCase)
  async getCase({ teamId, params }: Req<typeof getCase>) {
    const { row, events } = await this.service.get(teamId, params.case_id);
    return { case_id: row.id, status: row.status, case: toCase(row), events: events.map(toCaseEvent) };
  }

  @Handles(updateCase)
  async updateCase({ teamId, principal, params, body }: Req<typeof updateCase>) {
    const { row, interruptedRunIds } = await this.service.update(teamId, params.case_id, body, principal);
    return {
      case_id: row.id,
      status: row.status,
      case: toCase(row),
      interrupted_run_ids: [...interruptedRunIds],
    };
  }

  @Handles(deleteCase)
  async deleteCase({ teamId, principal, params }: Req<typeof deleteCase>) {
    const interrupted = await this.service.delete(teamId, params.case_id, principal);
    return { success: true as const, interrupted_run_ids: [...interrupted] };
  }

  @Handles(listCaseRuns)
  async listCaseRuns({ teamId, params, query: { limit, offset } }: Req<typeof listCaseRuns>) {
    const { id } = await this.cases.get(teamId, params.case_id);
    const { runs, total } = await this.runList.find(teamId, {
      case_id: id,
      sort_by: 'created_at',
      sort_order: 'desc',
      limit,
      offset,
    });
    return { runs: runs.map(toRun), total, limit, offset };
  }
}

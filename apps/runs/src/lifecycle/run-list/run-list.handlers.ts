import { listRuns, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { toRun } from '../../run-core/run.mapper.js';
import { RunListService } from './run-list.service.js';

@Controller()
export class RunListHandlers {
  constructor(private readonly list: RunListService) {}

  @Handles(listRuns)
  async listRuns({ teamId, query }: Req<typeof listRuns>) {
    const { runs, total } = await this.list.find(teamId, query);
    return { data: runs.map(toRun), total };
  }
}

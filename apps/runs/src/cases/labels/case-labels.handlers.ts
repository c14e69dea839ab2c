import {
  createCaseLabel,
  deleteCaseLabel,
  linkCaseLabels,
  listCaseLabels,
  listLabelsOfCase,
  unlinkCaseLabels,
  updateCaseLabel,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { toLabel, type LabelOfCase } from '../case.mapper.js';
import { CaseLabelsService, type CountedLabel } from './case-labels.service.js';

@Controller()
export class CaseLabelsHandlers {
  constructor(private readonly labels: CaseLabelsService) {}

  @Handles(listCaseLabels)
  async listCaseLabels({ teamId, params, query }: Req<typeof listCaseLabels>) {
    return listAnswer('labels', await this.labels.page(teamId, params.queue_id, query), toCounted);
  }

  @Handles(createCaseLabel)
  async createCaseLabel({ teamId, params, body }: Req<typeof createCaseLabel>) {
    return oneLabel(await this.labels.create(teamId, params.queue_id, body));
  }

  @Handles(updateCaseLabel)
  async updateCaseLabel({ teamId, params, body }: Req<typeof updateCaseLabel>) {
    return oneLabel(await this.labels.update(teamId, params.queue_id, params.label_id, body));
  }

  @Handles(deleteCaseLabel)
  async deleteCaseLabel({ teamId, params }: Req<typeof deleteCaseLabel>) {
    await this.labels.delete(teamId, params.queue_id, params.label_id);
    return { success: true as const };
  }

  @Handles(listLabelsOfCase)
  async listLabelsOfCase({ teamId, params }: Req<typeof listLabelsOfCase>) {
    return shown(await this.labels.ofCase(teamId, params.queue_id, params.case_id));
  }

  @Handles(linkCaseLabels)
  async linkCaseLabels({ teamId, params, body }: Req<typeof linkCaseLabels>) {
    return shown(await this.labels.link(teamId, params.queue_id, params.case_id, body.labels));
  }

  @Handles(unlinkCaseLabels)
  async unlinkCaseLabels({ teamId, params, body }: Req<typeof unlinkCaseLabels>) {
    return shown(await this.labels.unlink(teamId, params.queue_id, params.case_id, body.label_ids));
  }
}

function toCounted(label: CountedLabel) {
  return { ...toLabel(label), case_count: Number(label.case_count) };
}

function oneLabel(label: CountedLabel) {
  return { label_id: label.id, label: toCounted(label) };
}

function shown(labels: readonly LabelOfCase[]) {
  return { labels: labels.map(toLabel) };
}

import { AppError, caseLimits, type NewCaseLabel, notFound } from '@aos/contracts';
import { type Page, type PageRequest, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { LabelOfCase } from '../case.mapper.js';
import { CasesRepository } from '../cases.repository.js';
import { QueuesRepository } from '../queues/queues.repository.js';
import { CaseLabelLinks, CaseLabelsRepository, hueOf } from './case-labels.repository.js';
import { labelPage, oneLabel } from './case-labels.sql.js';
import { CaseLabelEntity } from './label.entities.js';

export type CountedLabel = LabelOfCase & { readonly case_count: string };

/** The labels of a queue, and which of its cases have them. */
@Injectable()
export class CaseLabelsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queues: QueuesRepository,
    private readonly cases: CasesRepository,
    private readonly rows: CaseLabelsRepository,
    private readonly links: CaseLabelLinks,
  ) {}

  async page(teamId: string, queueId: string, page: PageRequest): Promise<Page<CountedLabel>> {
    await this.queues.get(teamId, queueId);
    const items = await this.transactions.query<CountedLabel>(labelPage, [queueId, page.limit, page.offset]);
    const total = await this.transactions.repository(CaseLabelEntity).countBy({ queue_id: queueId });
    return { items, total, ...page };
  }

  async create(
    teamId: string,
    queueId: string,
    { key, value, color_hue: hue = hueOf(key) }: NewCaseLabel & { color_hue?: number },
  ): Promise<CountedLabel> {
    await this.queues.hold(teamId, queueId);
    const id = await this.rows.insert({ team_id: teamId, queue_id: queueId, key, value, hue });
    return this.get(teamId, queueId, id);
  }

  async update(
    teamId: string,
    queueId: string,
    labelId: string,
    { key, value, color_hue: hue }: Partial<NewCaseLabel> & { color_hue?: number },
  ): Promise<CountedLabel> {
    const changes = Object.fromEntries(
      Object.entries({ key, value, hue }).filter(([, changed]) => changed !== undefined),
    );
    await this.get(teamId, queueId, labelId);
    if (Object.keys(changes).length > 0) await this.rows.update(teamId, labelId, changes);
    return this.get(teamId, queueId, labelId);
  }

  async delete(teamId: string, queueId: string, labelId: string): Promise<void> {
    if (!(await this.rows.delete(teamId, queueId, labelId))) throw notFound('The label');
  }

  async ofCase(teamId: string, queueId: string, caseId: string): Promise<readonly LabelOfCase[]> {
    const row = await this.cases.get(teamId, caseId);
    if (row.queue_id !== queueId) throw notFound('The case');
    return row.labels;
  }

  async link(
    teamId: string,
    queueId: string,
    caseId: string,
    labels: readonly NewCaseLabel[],
  ): Promise<readonly LabelOfCase[]> {
    await this.lock(teamId, queueId, caseId);
    const idOf = await this.links.ensure(teamId, queueId, labels);
    await this.links.link(caseId, [...new Set(labels.map(idOf))]);
    const linked = await this.ofCase(teamId, queueId, caseId);
    if (linked.length > caseLimits.labels) {
      throw new AppError('limit_reached', `labels: a case has at most ${caseLimits.labels}.`);
    }
    return linked;
  }

  async unlink(
    teamId: string,
    queueId: string,
    caseId: string,
    labelIds: readonly string[],
  ): Promise<readonly LabelOfCase[]> {
    await this.lock(teamId, queueId, caseId);
    await this.links.unlink(caseId, labelIds);
    return this.ofCase(teamId, queueId, caseId);
  }

  private async lock(teamId: string, queueId: string, caseId: string): Promise<void> {
    const row = await this.cases.lock(teamId, caseId);
    if (row.queue_id !== queueId) throw notFound('The case');
  }

  private async get(teamId: string, queueId: string, labelId: string): Promise<CountedLabel> {
    const [row] = await this.transactions.query<CountedLabel>(oneLabel, [teamId, queueId, labelId]);
    if (!row) throw notFound('The label');
    return row;
  }
}

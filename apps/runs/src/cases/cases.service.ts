import { AppError, type Case, type CaseActor, type NewCase, type updateCase, type Req } from '@aos/contracts';
import { Transactions, type Page } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { editCase } from '../case-core/case-edits.sql.js';
import { CaseLabelLinks } from '../case-core/case-label-links.js';
import { CaseMoves } from '../case-core/case-moves.js';
import { rankOf } from '../case-core/case-rank.js';
import { caseText } from '../case-core/case-text.js';
import type { CaseEventEntity } from '../case-core/case.entities.js';
import type { PublicCase } from '../case-core/case.mapper.js';
import { CasesRepository, type CaseCause } from '../case-core/cases.repository.js';
import { momentOf } from '../run-core/moment.js';
import { QueuesRepository } from '../case-core/queues.repository.js';

export type CaseChanges = Omit<Req<typeof updateCase>['body'], 'status' | 'reason'>;

type Status = Case['status'];

/** The use cases of single cases, in the transaction of the operation or of the tool call. */
@Injectable()
export class CasesService {
  constructor(
    private readonly cases: CasesRepository,
    private readonly queues: QueuesRepository,
    private readonly labels: CaseLabelLinks,
    private readonly moves: CaseMoves,
    private readonly transactions: Transactions,
  ) {}

  async create(
    teamId: string,
    queueId: string,
    cases: readonly NewCase[],
    actor: CaseActor,
    options: { readonly shown?: boolean } = {},
  ): Promise<PublicCase[]> {
    await this.queues.hold(teamId, queueId);
    const made = await this.cases.insert(teamId, queueId, cases, actor, options);
    this.moves.wake(queueId);
    return made;
  }

  async get(teamId: string, caseId: string): Promise<{ row: PublicCase; events: CaseEventEntity[] }> {
    const row = await this.cases.get(teamId, caseId);
    return { row, events: await this.cases.events(caseId) };
  }

  async update(
    teamId: string,
    caseId: string,
    { status, reason, ...changes }: Req<typeof updateCase>['body'],
    actor: CaseActor,
  ): Promise<{ row: PublicCase; interruptedRunIds: readonly string[] }> {
    const before = await this.cases.get(teamId, caseId);
    // Its run is locked before it, and so it stays the one that works on it.
    if (status !== undefined) await this.cases.lockRuns(before.queue_id, [caseId]);
    const interruptedRunIds =
      status === undefined ? [] : await this.settle(teamId, before, status, { actor, reason });
    await this.edit(teamId, caseId, changes, { actor, reason });
    return { row: await this.cases.get(teamId, caseId), interruptedRunIds };
  }

  /** Changes what a case says. */
  async edit(teamId: string, caseId: string, changes: CaseChanges, cause: CaseCause): Promise<void> {
    const { labels, priority, postponed_to: postponedTo, ...texts } = changes;
    const fields = {
      ...texts,
      ...(priority === undefined ? {} : { rank: rankOf(priority) }),
      ...(postponedTo === undefined
        ? {}
        : { postponed_to: postponedTo === null ? null : momentOf(postponedTo) }),
    };
    const isEdited = Object.values(fields).some((value) => value !== undefined);
    if (!isEdited && labels === undefined) return;
    const old = await this.cases.lock(teamId, caseId);
    if (postponedTo !== undefined) assertPostponable(old);
    const title = texts.title ?? old.title;
    const data = texts.data === undefined ? old.data : texts.data;
    const text = texts.title === undefined && texts.data === undefined ? null : caseText(title, data);
    await this.transactions.query(editCase, [teamId, caseId, JSON.stringify(fields), text, new Date()]);
    if (labels !== undefined) {
      const idOf = await this.labels.ensure(teamId, old.queue_id, labels);
      await this.labels.replace(caseId, [...new Set(labels.map(idOf))]);
    }
    await this.cases.addEvent(caseId, postponedTo ? 'postponed' : 'updated', cause);
    this.moves.wake(old.queue_id);
  }

  async delete(teamId: string, caseId: string): Promise<readonly string[]> {
    const { queue_id: queueId } = await this.cases.get(teamId, caseId);
    return (await this.moves.delete(teamId, queueId, [caseId])).interruptedRunIds;
  }

  private async settle(
    teamId: string,
    { id, queue_id: queueId }: PublicCase,
    status: Status,
    cause: CaseCause,
  ): Promise<readonly string[]> {
    return (await this.moves.move(teamId, queueId, [id], status, cause)).interruptedRunIds;
  }
}

export type CasePage = Page<PublicCase>;

function assertPostponable({
  status,
  claimed_by_run_id: runId,
}: Pick<PublicCase, 'status' | 'claimed_by_run_id'>) {
  if (status !== 'pending') throw new AppError('invalid_state', `postponed_to: the case is ${status}.`);
  if (runId !== null) throw new AppError('invalid_state', 'postponed_to: a run works on the case.');
}

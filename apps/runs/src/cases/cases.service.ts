import {
  AppError,
  type Case,
  type CaseActor,
  type NewCase,
  type Principal,
  type Req,
  type updateCase,
} from '@aos/contracts';
import { type Page, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { momentOf } from '../run-core/run-columns.js';
import { type CaseMover, CaseMoves, type MovedCases } from './case-moves.js';
import type { CaseEventEntity } from './case.entities.js';
import { actorOf, caseText, type PublicCase, rankOf } from './case.mapper.js';
import { type CaseCause, CasesRepository } from './cases.repository.js';
import { editCase } from './cases.sql.js';
import { CaseLabelLinks } from './labels/case-labels.repository.js';
import { QueuesRepository } from './queues/queues.repository.js';

export type CaseChanges = Omit<Req<typeof updateCase>['body'], 'status' | 'reason'>;

type Status = Case['status'];

/** Agents that hand a case to and fro may be faster than this, and are not waited for. */
const maxTries = 10;

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
    principal: Principal,
  ): Promise<{ row: PublicCase; interruptedRunIds: readonly string[] }> {
    const interruptedRunIds =
      status === undefined ? [] : await this.settle(teamId, caseId, status, { principal, reason });
    await this.edit(teamId, caseId, changes, { actor: actorOf(principal), reason });
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

  async delete(teamId: string, caseId: string, principal: Principal): Promise<readonly string[]> {
    return this.whereItIs(teamId, caseId, (queueId) =>
      this.moves.delete(teamId, queueId, [caseId], { principal }),
    );
  }

  private async settle(
    teamId: string,
    caseId: string,
    status: Status,
    mover: CaseMover,
  ): Promise<readonly string[]> {
    const move = (queueId: string) => this.moves.move(teamId, queueId, [caseId], status, mover);
    return this.whereItIs(teamId, caseId, move, { mayBeSo: true });
  }

  /**
   * Changes a case in its queue, and gives the runs that were interrupted. Between the look and the change a run may hand
   * it over; then nothing was touched, and it is changed where it has gone.
   */
  private async whereItIs(
    teamId: string,
    caseId: string,
    change: (queueId: string) => Promise<MovedCases>,
    { mayBeSo = false }: { readonly mayBeSo?: boolean } = {},
  ): Promise<readonly string[]> {
    let { queue_id: queueId } = await this.cases.get(teamId, caseId);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { touched, interruptedRunIds } = await change(queueId);
      if (touched.length > 0) return interruptedRunIds;
      const { queue_id: now } = await this.cases.get(teamId, caseId);
      if (mayBeSo && now === queueId) return [];
      queueId = now;
    }
    throw new AppError('unavailable', 'Another request is moving the case; retry.', { retryAfterSeconds: 1 });
  }
}

export type CasePage = Page<PublicCase>;

function assertPostponable({
  status,
  claimed_by_run_id: runId,
}: Pick<PublicCase, 'status' | 'claimed_by_run_id'>) {
  if (status !== 'pending') throw new AppError('invalid_state', `postponed_to: the case is ${status}.`);
  if (runId !== null) throw new AppError('invalid_state', 'postponed_to: a run is working on the case.');
}

import { type CaseActor, type CaseEventType, type CaseStatus, type NewCase, notFound } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { newId, PreparedStatements, Transactions } from '@aos/persistence';
import { recordedTraceparent } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { momentOf } from '../run-core/run-columns.js';
import { type CaseEntity, CaseEventEntity } from './case.entities.js';
import { caseText, type PublicCase, rankOf } from './case.mapper.js';
import {
  casesByIds,
  countCases,
  deleteCases,
  findCase,
  insertCases,
  lockCase,
  lockRunsOfCases,
  moveCases,
  queuesWithApprovals,
  rankCases,
} from './cases.sql.js';
import { CaseLabelLinks } from './labels/case-labels.repository.js';

export interface TouchedCase {
  readonly id: string;
  readonly run_id: string | null;
}

export interface CaseCause {
  readonly actor: CaseActor;
  readonly reason?: string | null;
}

/** The newest are kept in sight. */
const maxEvents = 500;

/** Cases with all that belongs to them. What changes them works on sets, in one statement each. */
@Injectable()
export class CasesRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
    private readonly labels: CaseLabelLinks,
    private readonly outbox: Outbox,
  ) {}

  async get(teamId: string, caseId: string): Promise<PublicCase> {
    const row = await this.find(teamId, caseId);
    if (!row) throw notFound('The case');
    return row;
  }

  async find(teamId: string, caseId: string): Promise<PublicCase | undefined> {
    const [row] = await this.transactions.query<PublicCase>(findCase, [teamId, caseId]);
    return row;
  }

  /** For a change of it in a transaction: one at a time. */
  async lock(teamId: string, caseId: string): Promise<CaseEntity> {
    const [row] = await this.transactions.query<CaseEntity>(lockCase, [teamId, caseId]);
    if (!row) throw notFound('The case');
    return row;
  }

  async events(caseId: string): Promise<CaseEventEntity[]> {
    const newest = await this.transactions.repository(CaseEventEntity).find({
      where: { case_id: caseId },
      order: { created_at: 'DESC', id: 'DESC' },
      take: maxEvents,
    });
    return newest.reverse();
  }

  /** In the open transaction, in which the queue is held. They are there in the order in which they were given. */
  async insert(
    teamId: string,
    queueId: string,
    cases: readonly NewCase[],
    actor: CaseActor,
    { shown: isShown = true }: { readonly shown?: boolean } = {},
  ): Promise<PublicCase[]> {
    const idOf = await this.labels.ensure(
      teamId,
      queueId,
      cases.flatMap(({ labels = [] }) => labels),
    );
    const rows = cases.map(({ title, data = null, labels = [], priority, postponed_to }, n) => ({
      n,
      id: newId(),
      title,
      data,
      text: caseText(title, data),
      rank: rankOf(priority),
      postponed_to: momentOf(postponed_to),
      event_id: newId(),
      outbox_id: newId(),
      label_ids: labels.map(idOf),
    }));
    await this.transactions.query(insertCases, [
      JSON.stringify(rows),
      teamId,
      queueId,
      actor,
      metaOf(),
      new Date(),
    ]);
    this.transactions.afterCommit(() => this.outbox.recorded());
    return isShown ? this.byIds(rows.map(({ id }) => id)) : [];
  }

  async byIds(ids: readonly string[]): Promise<PublicCase[]> {
    return this.transactions.query<PublicCase>(casesByIds, [ids]);
  }

  /** In the open transaction: the runs that work on them, locked. A case is always locked after its run. */
  async lockRuns(queueId: string, ids: readonly string[]): Promise<void> {
    await this.transactions.query(lockRunsOfCases, [queueId, ids]);
  }

  move(
    queueId: string,
    ids: readonly string[],
    to: { readonly status: CaseStatus; readonly type: CaseEventType; readonly agentId?: string },
    { actor, reason = null }: CaseCause,
  ): Promise<TouchedCase[]> {
    this.transactions.afterCommit(() => this.outbox.recorded());
    return this.transactions.query<TouchedCase>(moveCases, [
      queueId,
      ids,
      to.status,
      ids.map(newId),
      ids.map(newId),
      to.type,
      actor,
      reason,
      metaOf(),
      new Date(),
      to.agentId ?? null,
    ]);
  }

  rank(queueId: string, ids: readonly string[], rank: number, cause: CaseCause): Promise<TouchedCase[]> {
    const { actor, reason = null } = cause;
    return this.transactions.query<TouchedCase>(rankCases, [
      queueId,
      ids,
      rank,
      ids.map(newId),
      actor,
      reason,
      new Date(),
    ]);
  }

  delete(queueId: string, ids: readonly string[]): Promise<TouchedCase[]> {
    return this.transactions.query<TouchedCase>(deleteCases, [queueId, ids]);
  }

  async addEvent(caseId: string, type: CaseEventType, { actor, reason = null }: CaseCause): Promise<void> {
    await this.transactions
      .repository(CaseEventEntity)
      .insert({ id: newId(), case_id: caseId, type, actor, reason, created_at: () => 'now()' });
  }

  /** Filters the queues to those with a case whose run waits for an approval. */
  async queuesWithApprovals(queueIds: readonly string[]): Promise<string[]> {
    const rows = await this.statements.read<{ id: string }>(queuesWithApprovals, [queueIds]);
    return rows.map(({ id }) => id);
  }

  /** How many there are by what a ledger knows, in one sum. */
  async counts(
    queueIds: readonly string[],
  ): Promise<{ queue_id: string; status: CaseStatus; cases: string }[]> {
    return this.statements.read(countCases, [queueIds]);
  }
}

function metaOf(): object {
  return { traceparent: recordedTraceparent() };
}

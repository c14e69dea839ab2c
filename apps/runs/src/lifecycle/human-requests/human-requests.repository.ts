import { type HumanRequest, notFound } from '@aos/contracts';
import { findPage, type Page, type PageRequest, PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, Raw } from 'typeorm';
import { HumanRequestEntity } from './human-request.entity.js';
import {
  awaitsApprovalOfAgent,
  overdueRequests,
  pendingRequest,
  requestsOfPage,
  requestsOfRun,
  settleRequest,
  setVotes,
} from './human-requests.sql.js';

type Row = HumanRequestEntity;

export interface HumanRequestFilter {
  readonly status?: HumanRequest['status'];
  readonly assignee?: string;
  readonly overdue?: boolean;
}

/** How a request was settled. */
export interface Settlement {
  readonly status: Exclude<HumanRequest['status'], 'pending'>;
  readonly response: HumanRequest['response'];
  readonly votes: HumanRequest['votes'];
}

@Injectable()
export class HumanRequestsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  async pendingOf(teamId: string, runId: string): Promise<Row | undefined> {
    const [row] = await this.statements.read<Row>(pendingRequest, [teamId, runId]);
    return row;
  }

  /** Oldest first; of many large ones the last. */
  ofRun(teamId: string, runId: string): Promise<Row[]> {
    return this.transactions.query<Row>(requestsOfRun, [teamId, runId]);
  }

  /** Inside the transaction that has locked its run. */
  async get(teamId: string, runId: string, requestId: string): Promise<Row> {
    const row = await this.transactions
      .repository(HumanRequestEntity)
      .findOneBy({ id: requestId, run_id: runId, team_id: teamId });
    if (!row) throw notFound('The human request');
    return row;
  }

  /** Inside the transaction that has locked its run. */
  pendingInTransaction(teamId: string, runId: string): Promise<Row | null> {
    return this.transactions
      .repository(HumanRequestEntity)
      .findOneBy({ run_id: runId, team_id: teamId, status: 'pending' });
  }

  async settle(teamId: string, requestId: string, { status, response, votes }: Settlement): Promise<Row> {
    const [row] = await this.transactions.query<Row>(settleRequest, [
      teamId,
      requestId,
      status,
      response === null ? null : JSON.stringify(response),
      JSON.stringify(votes),
    ]);
    return row!;
  }

  async setVotes(teamId: string, requestId: string, votes: HumanRequest['votes']): Promise<Row> {
    const [row] = await this.transactions.query<Row>(setVotes, [teamId, requestId, JSON.stringify(votes)]);
    return row!;
  }

  /** Whether runs of an agent, or sub-runs of theirs, wait for an approval. */
  async awaitsApproval(teamId: string, agentId: string): Promise<boolean> {
    const query = this.transactions.query<{ awaits: boolean }>(awaitsApprovalOfAgent, [teamId, agentId]);
    return (await query)[0]!.awaits;
  }

  /** Requests of all teams whose time is over. */
  async overdue(limit: number, except: readonly string[]): Promise<Pick<Row, 'id' | 'run_id' | 'team_id'>[]> {
    return this.transactions.query(overdueRequests, [limit, except]);
  }

  async list(teamId: string, filter: HumanRequestFilter, page: PageRequest): Promise<Page<Row>> {
    const where: FindOptionsWhere<Row> = {
      team_id: teamId,
      ...(filter.status && { status: filter.status }),
      ...(filter.assignee !== undefined && { assignee: filter.assignee }),
      ...(filter.overdue !== undefined && { due_at: isOverdue(filter.overdue) }),
    };
    const requests = this.transactions.repository(HumanRequestEntity);
    const found = await findPage(requests, { select: { id: true }, where, order: { id: 'ASC' } }, page);
    const items = await this.transactions.query<Row>(requestsOfPage, [found.items.map(({ id }) => id)]);
    return { ...found, items };
  }
}

function isOverdue(overdue: boolean) {
  return Raw((dueAt) => `(status = 'pending' AND ${dueAt} IS NOT NULL AND ${dueAt} <= now()) = :overdue`, {
    overdue,
  });
}
